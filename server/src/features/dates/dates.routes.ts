import * as contract from '@duet/contract/dates.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { changeDate, checkIn, listDates, shareDate } from './dates.ts'
import { declineContact, openDate } from './open-dates.ts'

export function dateRoutes(serve: Serve, platform: Platform): void {
  serve(contract.shareDate, ({ body }, { viewer }) => shareDate(platform, viewer.id, body))
  serve(contract.listDates, async (_, { viewer }) => ({ dates: await listDates(platform, viewer.id) }))
  serve(contract.changeDate, async ({ params, body }, { viewer }) => ({
    dates: await changeDate(platform, viewer, params.id, body),
  }))
  serve(contract.checkIn, async ({ params }, { viewer }) => ({
    dates: await checkIn(platform, viewer.id, params.id),
  }))
  serve(contract.openDate, ({ params }, { reply }) => {
    reply.header('x-robots-tag', 'noindex')
    return openDate(platform, params.token)
  })
  serve(contract.declineContact, async ({ body }) => {
    await declineContact(platform, body.key)
    return { ok: true } as const
  })
}
