import type { FastifyRequest } from 'fastify'
import { invalid } from '../../platform/errors.ts'
import { bytesOf, partsOf } from '../../platform/http/forms.ts'

const wrong = (message: string) => invalid([{ path: 'file', message }])

export async function readSelfieForm(request: FastifyRequest): Promise<Buffer> {
  let bytes: Buffer | undefined
  for await (const part of partsOf(request, 1)) {
    if (part.type !== 'file' || part.fieldname !== 'file') throw wrong('must be the only part')
    bytes = await bytesOf(part)
  }
  if (!bytes) throw wrong('is missing')
  return bytes
}
