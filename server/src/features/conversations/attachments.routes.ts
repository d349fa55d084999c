import { addAttachment as add } from '@duet/contract/conversations.ts'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../platform/http/serve.ts'
import { sendStored } from '../../platform/http/stored-file.ts'
import { createFewAtOnce } from '../../platform/in-order.ts'
import type { Platform } from '../../platform/platform.ts'
import { SignedQuery } from '../../platform/security/signed-urls.ts'
import { WidthQuery } from '../photos/photo-files.ts'
import { readAttachmentForm } from './attachment-form.ts'
import { addAttachment, findAttachment } from './attachments.ts'

const AttachmentQuery = SignedQuery.extend({ w: WidthQuery })

/** The maximum number of one person's uploads held in memory; others wait. */
const formsAtOnce = 3

const headers = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'inline',
  'cache-control': 'private, max-age=300',
}

export function attachmentRoutes(serve: Serve, app: FastifyInstance, platform: Platform): void {
  const inTurn = createFewAtOnce(formsAtOnce)
  serve(add, ({ params }, { viewer, request }) =>
    inTurn(viewer.id, () => addAttachment(platform, viewer.id, params.userId, () => readAttachmentForm(request))),
  )
  app.get<{ Params: { fileName: string } }>('/media/attachments/:fileName', async (request, reply) => {
    const { w: width, ...signature } = AttachmentQuery.parse(request.query)
    const address = { fileName: request.params.fileName, width, ...signature }
    const { key, contentType } = await findAttachment(platform, address)
    return sendStored(platform, reply, key, { ...headers, 'content-type': contentType })
  })
}
