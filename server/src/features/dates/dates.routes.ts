import * as contract from '@duet/contract/dates.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { changeDate, checkIn, declineContact, listDates, openDate, shareDate } from './dates.ts'

export function dateRoutes(serve: Serve, platform: Platform): void {
  serve(contract.shareDate, ({ body }, { viewer }) => shareDate(platform, viewer.id, body))
  serve(contract.listDates, async (_, { viewer }) => ({ dates: await listDates(platform, viewer.id) }))
  serve(contract.changeDate, async ({ params, body }, { viewer }) => ({
    dates: await changeDate(platform, viewer, params.id, body),
  }))
  serve(contract.checkIn, async ({ params }, { viewer }) => ({
    dates: await checkIn(platform, viewer.id, params.id),
  }))
  serve(contract.openDate, ({ params }, { request, reply }) => {
    reply.header('x-robots-tag', 'noindex')
    return openDate(platform, params.token, request.ip)
  })
  serve(contract.declineContact, async ({ body }, { request }) => {
    await declineContact(platform, body.key, request.ip)
    return { ok: true } as const
  })
}
