import * as contract from '@duet/contract/data-rights.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { SignedQuery } from '../../platform/security/signed-urls.ts'
import { changeConsent, listConsents } from './consents.ts'
import { getErasure, type OnShown, requestErasure, undoErasure } from './erasure.ts'
import { getExport, openExport, requestExport } from './export.ts'

/** The signature includes the session that the URL was issued to. */
const ExportQuery = SignedQuery.extend({ session: z.string().max(64).catch('') })

const headers = {
  'content-type': 'application/zip',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'attachment; filename="duet-data.zip"',
  'cache-control': 'no-store',
}

interface Hooks {
  onShown: OnShown
  forgetLearned(userId: string): Promise<void>
}

export function dataRightsRoutes(serve: Serve, app: FastifyInstance, platform: Platform, hooks: Hooks): void {
  const { onShown, forgetLearned } = hooks
  serve(contract.getErasure, (_input, { viewer }) => getErasure(platform, viewer.id))
  serve(contract.requestErasure, (_input, { viewer }) => requestErasure(platform, viewer, onShown))
  serve(contract.undoErasure, (_input, { viewer }) => undoErasure(platform, viewer.id, onShown))
  serve(contract.getExport, (_input, { viewer }) => getExport(platform, viewer))
  serve(contract.requestExport, ({ body }, { viewer }) => requestExport(platform, viewer, body.language))
  serve(contract.listConsents, (_input, { viewer }) => listConsents(platform, viewer.id))
  serve(contract.changeConsent, ({ body }, { viewer }) => changeConsent(platform, viewer.id, body, forgetLearned))
  app.get<{ Params: { fileName: string } }>('/media/exports/:fileName', async (request, reply) => {
    const signature = ExportQuery.parse(request.query)
    const { stream, size } = await openExport(platform, request.params.fileName, signature)
    return reply.headers({ ...headers, 'content-length': size }).send(stream)
  })
}
