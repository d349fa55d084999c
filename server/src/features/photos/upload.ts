import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, invalid, malformed } from '../../platform/errors.ts'

/** A file of a form, read when it is wanted. */
export interface UploadedFile {
  read(): Promise<Buffer>
}

const fileField = /^file(_\d{1,3})?$/
const sizeField = /^size(_\d{1,3})?$/
const nameField = /^name(_\d{1,3})?$/
const longestName = 255

/** What clients say of their files is looked at and not believed. */
function requireShape(field: string, value: unknown, truncated: boolean): void {
  const text = String(value)
  if (sizeField.test(field) && !truncated && /^\d{1,15}$/.test(text)) return
  if (nameField.test(field) && !truncated && text.length <= longestName) return
  const known = sizeField.test(field) || nameField.test(field)
  throw invalid([{ path: field.slice(0, 40), message: known ? 'is not valid' : 'is not known' }])
}

// Busboy's own faults (no boundary, a body that ends early) have no code that would say so.
function isBrokenForm(error: unknown): boolean {
  return (
    error instanceof Error && /boundary|needle|multipart|unexpected end|premature close|malformed/i.test(error.message)
  )
}

const hasCode = (error: unknown) => String((error as { code?: unknown }).code ?? '').startsWith('FST_')

function refusalOf(error: unknown): unknown {
  if (error instanceof AppError || hasCode(error) || !isBrokenForm(error)) return error
  return malformed('The form cannot be read.')
}

async function read(part: MultipartFile): Promise<Buffer> {
  try {
    return await part.toBuffer()
  } catch (error) {
    throw refusalOf(error)
  }
}

/** The files of a multipart request in their order, one at a time. Throws for forms that are not as they should be. */
export async function* filesOf(request: FastifyRequest): AsyncGenerator<UploadedFile> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type', 'Send multipart/form-data.')
  let files = 0
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') requireShape(part.fieldname, part.value, part.valueTruncated)
      else if (!fileField.test(part.fieldname)) throw invalid([{ path: 'file', message: 'has a wrong name' }])
      else {
        files += 1
        yield { read: () => read(part) }
      }
    }
  } catch (error) {
    throw refusalOf(error)
  }
  if (files === 0) throw invalid([{ path: 'file', message: 'is missing' }])
}
