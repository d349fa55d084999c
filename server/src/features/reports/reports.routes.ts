import * as contract from '@duet/contract/reports.ts'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { SignedQuery } from '../../platform/security/signed-urls.ts'
import { actorOf } from '../audit/actor.ts'
import { decideReport } from './deciding.ts'
import { listPastContacts } from './past-contacts.ts'
import { listOpenReports } from './queue.ts'
import { listOwnReports, readEvidenceFile, reportUser } from './reports.ts'

const headers = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'content-disposition': 'inline',
  'cache-control': 'no-store',
}

/** `onBlocked` runs after a block was stored, to update live connections immediately. */
export function reportRoutes(
  serve: Serve,
  app: FastifyInstance,
  platform: Platform,
  onBlocked: (a: string, b: string) => void,
): void {
  serve(contract.reportUser, ({ body }, { viewer }) => reportUser(platform, viewer.id, body, onBlocked))
  serve(contract.listOwnReports, async (_input, { viewer }) => ({ reports: await listOwnReports(platform, viewer.id) }))
  serve(contract.listPastContacts, ({ query }, { viewer }) => listPastContacts(platform, viewer.id, query))
  serve(contract.listOpenReports, ({ query }, { viewer }) => listOpenReports(platform, viewer.id, query))
  serve(contract.decideReport, async ({ params, body }, call) => {
    await decideReport(platform, actorOf(call), params.receipt, body)
    return { ok: true } as const
  })
  app.get<{ Params: { fileName: string } }>('/media/evidence/:fileName', async (request, reply) => {
    const signature = SignedQuery.parse(request.query)
    const { bytes, contentType } = await readEvidenceFile(platform, request.params.fileName, signature)
    return reply.headers(headers).type(contentType).send(bytes)
  })
}
