import { addAttachment as add } from '@duet/contract/conversations.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import parseRange from 'range-parser'
import type { Serve } from '../../platform/http/serve.ts'
import { createFewAtOnce } from '../../platform/in-order.ts'
import type { Platform } from '../../platform/platform.ts'
import { SignedQuery } from '../../platform/security/signed-urls.ts'
import { WidthQuery } from '../photos/photo-files.ts'
import { readAttachmentForm } from './attachment-form.ts'
import { addAttachment, readAttachment } from './attachments.ts'

const AttachmentQuery = SignedQuery.extend({ w: WidthQuery })

/** Of one person so many forms are in memory; what comes beyond them is read later. */
const formsAtOnce = 3

const headers = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'inline',
  'cache-control': 'private, max-age=300',
  'accept-ranges': 'bytes',
}

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

export function attachmentRoutes(serve: Serve, app: FastifyInstance, platform: Platform): void {
  const inTurn = createFewAtOnce(formsAtOnce)
  serve(add, ({ params }, { viewer, request }) =>
    inTurn(viewer.id, () => addAttachment(platform, viewer.id, params.userId, () => readAttachmentForm(request))),
  )
  app.get<{ Params: { fileName: string } }>('/media/attachments/:fileName', async (request, reply) => {
    const { w: width, ...signature } = AttachmentQuery.parse(request.query)
    const address = { fileName: request.params.fileName, width, ...signature }
    const { bytes, contentType } = await readAttachment(platform, address)
    return sendRange(reply.headers(headers).type(contentType), bytes, request.headers.range)
  })
}
