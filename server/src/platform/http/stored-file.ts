import type { FastifyReply } from 'fastify'
import parseRange from 'range-parser'
import { notFound } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'

/** Where the proxy in front has the store, for itself alone: `internal` in deploy/nginx.conf. */
const storedAt = '/stored/'

/** Sends a file, or the one part of it that was asked for: Safari plays nothing that it cannot ask for in parts. */
function sendRange(reply: FastifyReply, bytes: Buffer, range: string | undefined) {
  const wanted = range === undefined ? -2 : parseRange(bytes.length, range)
  if (wanted === -1) return reply.code(416).header('content-range', `bytes */${bytes.length}`).send()
  const [part, ...others] = wanted === -2 || wanted.type !== 'bytes' ? [] : wanted
  // More than one part, or none that can be read: the whole is a right answer too.
  if (!part || others.length > 0) return reply.send(bytes)
  reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${bytes.length}`)
  return reply.send(bytes.subarray(part.start, part.end + 1))
}

/**
 * Sends a file of the store, whole or in part; with `FILES_BY_PROXY` tells the proxy in front where it is, and the proxy
 * sends it. Throws not found when it is gone.
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
