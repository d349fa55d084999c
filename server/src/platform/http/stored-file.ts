import type { FastifyReply } from 'fastify'
import parseRange from 'range-parser'
import { notFound } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'

const storedAt = '/stored/'

/** Supports range requests: Safari plays no media without them. */
function sendRange(reply: FastifyReply, bytes: Buffer, range: string | undefined) {
  const wanted = range === undefined ? -2 : parseRange(bytes.length, range)
  if (wanted === -1) return reply.code(416).header('content-range', `bytes */${bytes.length}`).send()
  const [part, ...others] = wanted === -2 || wanted.type !== 'bytes' ? [] : wanted
  // A valid response to several ranges or an invalid one is the whole file.
  if (!part || others.length > 0) return reply.send(bytes)
  reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${bytes.length}`)
  return reply.send(bytes.subarray(part.start, part.end + 1))
}

/**
 * Sends a stored file or a range of it. With `FILES_BY_PROXY`, the reverse proxy sends the file instead. Throws not
 * found if the file is gone.
 */
export async function sendStored(
  { config, storage }: { config: { filesByProxy: boolean }; storage: Storage },
  reply: FastifyReply,
  key: string,
  headers: Record<string, string>,
): Promise<FastifyReply> {
  if (config.filesByProxy) {
    const address = await storage.addressOf(key)
    return reply.headers({ ...headers, 'x-accel-redirect': storedAt + address }).send()
  }
  const bytes = await storage.get(key)
  if (!bytes) throw notFound()
  return sendRange(reply.headers({ ...headers, 'accept-ranges': 'bytes' }), bytes, reply.request.headers.range)
}
