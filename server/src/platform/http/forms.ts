import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, malformed } from '../errors.ts'

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

/** The bytes of one file of a form. Throws `payload_too_large` and `malformed`. */
export async function bytesOf(part: MultipartFile): Promise<Buffer> {
  try {
    return await part.toBuffer()
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Lets the rest of a form that is refused pass by unread: the next request of its connection waits behind it. */
function passOver({ raw }: FastifyRequest): void {
  if (raw.readableEnded) return
  raw.unpipe()
  raw.resume()
}

/**
 * The parts of a multipart request in their order; a file must be read before the next part is asked for. Throws
 * `unsupported_media_type`, `malformed` and `payload_too_large`. `files` is how many there may be.
 */
export async function* partsOf(request: FastifyRequest, files?: number): AsyncGenerator<Multipart> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type', 'Send multipart/form-data.')
  try {
    yield* request.parts(files === undefined ? undefined : { limits: { files } })
  } catch (error) {
    throw refusalOf(error)
  } finally {
    passOver(request)
  }
}
