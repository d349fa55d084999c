import { cutText } from '@duet/contract/cut-text.ts'
import type { FastifyRequest } from 'fastify'
import { invalid } from '../../platform/errors.ts'
import { bytesOf, partsOf } from '../../platform/http/forms.ts'

export interface UploadedFile {
  read(): Promise<Buffer>
}

const fileField = /^file(_\d{1,3})?$/
const sizeField = /^size(_\d{1,3})?$/
const nameField = /^name(_\d{1,3})?$/
const longestName = 255

/** Checks the fields in which clients describe their files, although nothing relies on them. */
function requireShape(field: string, value: unknown, truncated: boolean): void {
  const text = String(value)
  if (sizeField.test(field) && !truncated && /^\d{1,15}$/.test(text)) return
  if (nameField.test(field) && !truncated && text.length <= longestName) return
  const known = sizeField.test(field) || nameField.test(field)
  throw invalid([{ path: cutText(field, 40), message: known ? 'is not valid' : 'is not known' }])
}

/** Yields one file at a time, in order. Throws for malformed forms. */
export async function* filesOf(request: FastifyRequest): AsyncGenerator<UploadedFile> {
  let files = 0
  for await (const part of partsOf(request)) {
    if (part.type === 'field') requireShape(part.fieldname, part.value, part.valueTruncated)
    else if (!fileField.test(part.fieldname)) throw invalid([{ path: 'file', message: 'has a wrong name' }])
    else {
      files += 1
      yield { read: () => bytesOf(part) }
    }
  }
  if (files === 0) throw invalid([{ path: 'file', message: 'is missing' }])
}
