import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, malformed } from '../errors.ts'

// Busboy's own errors (no boundary, a truncated body) have no code to recognise them by.
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

export async function bytesOf(part: MultipartFile): Promise<Buffer> {
  try {
    return await part.toBuffer()
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Discards the rest of a rejected form, because the next request on the connection waits behind it. */
function passOver({ raw }: FastifyRequest): void {
  if (raw.readableEnded) return
  raw.unpipe()
  raw.resume()
}

/**
 * Yields the parts of a multipart request in order; read each file before asking for the next part. Allows at most
 * `files` files. Throws `unsupported_media_type`, `malformed` and `payload_too_large`.
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
