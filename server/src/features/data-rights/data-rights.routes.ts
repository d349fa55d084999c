import * as contract from '@duet/contract/data-rights.ts'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { SignedQuery } from '../../platform/signed-urls.ts'
import { getErasure, type OnHidden, requestErasure, undoErasure } from './erasure.ts'
import { getExport, openExport, requestExport } from './export.ts'

const headers = {
  'content-type': 'application/zip',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'attachment; filename="duet-data.zip"',
  'cache-control': 'no-store',
}

export function dataRightsRoutes(serve: Serve, app: FastifyInstance, platform: Platform, onHidden: OnHidden): void {
  serve(contract.getErasure, (_input, { viewer }) => getErasure(platform, viewer.id))
  serve(contract.requestErasure, (_input, { viewer }) => requestErasure(platform, viewer, onHidden))
  serve(contract.undoErasure, (_input, { viewer }) => undoErasure(platform, viewer.id))
  serve(contract.getExport, (_input, { viewer }) => getExport(platform, viewer.id))
  serve(contract.requestExport, ({ body }, { viewer }) => requestExport(platform, viewer.id, body.language))
  app.get<{ Params: { fileName: string } }>('/media/exports/:fileName', async (request, reply) => {
    const signature = SignedQuery.parse(request.query)
    const { stream, size } = await openExport(platform, request.params.fileName, signature)
    return reply.headers({ ...headers, 'content-length': size }).send(stream)
  })
}
