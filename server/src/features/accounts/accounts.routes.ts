import * as contract from '@duet/contract/accounts.ts'
import type { FastifyRequest } from 'fastify'
import { languageIn } from '../../platform/language.ts'
import type { Platform } from '../../platform/platform.ts'
import { networkOf } from '../../platform/rate-limit.ts'
import type { Serve } from '../../platform/serve.ts'
import { authenticate, type OnArriving, type Origin, putLanguage, reauthenticate, register } from './accounts.ts'
import { codeLife, sendCode } from './codes.ts'
import { deviceOf, endSession, endSessions, listSessions } from './sessions.ts'

const originOf = (request: FastifyRequest) => ({
  network: networkOf(request.ip),
  device: deviceOf(request.headers['user-agent']),
  language: languageIn(request.headers['accept-language']),
})

// Not "storage": the page forgets by itself, and whoever signs in anew meanwhile would be forgotten too.
const forgetPictures = { 'clear-site-data': '"cache"' }

/** Hears of everybody who has come, and where from. */
interface ArrivalHooks {
  /** In the transaction that makes the account, before anything is answered. */
  onArriving: OnArriving
  onRegistered: (userId: string, origin: Origin) => void
}

export function accountRoutes(serve: Serve, platform: Platform, { onArriving, onRegistered }: ArrivalHooks): void {
  serve(contract.requestOtp, async ({ body }, { request }) => {
    await sendCode(platform, body.email, originOf(request))
    return codeLife
  })
  serve(contract.register, async ({ body }, { request }) => {
    const origin = originOf(request)
    const session = await register(platform, body, origin, onArriving)
    onRegistered(session.id, origin)
    return session
  })
  serve(contract.authenticate, ({ body }, { request }) => authenticate(platform, body, originOf(request)))
  serve(contract.reauthenticate, async ({ body }, { viewer, request }) => ({
    freshUntil: (await reauthenticate(platform, viewer, body, networkOf(request.ip))).toISOString(),
  }))
  serve(contract.signOut, async (_input, { viewer, reply }) => {
    await endSession(platform, viewer, viewer.sessionId)
    reply.headers(forgetPictures)
    return { ok: true } as const
  })
  serve(contract.signOutEverywhere, async (_input, { viewer, reply }) => {
    await endSessions(platform, viewer)
    reply.headers(forgetPictures)
    return { ok: true } as const
  })
  serve(contract.listSessions, async (_input, { viewer }) => ({ sessions: await listSessions(platform, viewer) }))
  serve(contract.putLanguage, async ({ body }, { viewer }) => {
    await putLanguage(platform, viewer.id, body.language)
    return { ok: true } as const
  })
  serve(contract.endSession, async ({ params }, { viewer }) => {
    await endSession(platform, viewer, params.id)
    return { ok: true } as const
  })
}
