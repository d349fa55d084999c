import * as contract from '@duet/contract/accounts.ts'
import { forgetPictures, type Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { networkOf } from '../../platform/security/rate-limit.ts'
import { authenticate, type OnArriving, putLanguage, reauthenticate, register, verifyCode } from './accounts.ts'
import { codeLife, sendCode } from './codes.ts'
import { originOf, rememberDevice } from './origin.ts'
import { endSession, endSessions, listSessions } from './sessions.ts'

interface ArrivalHooks {
  onArriving: OnArriving
}

export function accountRoutes(serve: Serve, platform: Platform, { onArriving }: ArrivalHooks): void {
  serve(contract.requestOtp, async ({ body }, { request }) => {
    await sendCode(platform, body.email, { ...originOf(request), requestId: request.id })
    return codeLife
  })
  serve(contract.verifyOtp, async ({ body }, { request, reply }) => {
    const origin = originOf(request)
    const hasAccount = await verifyCode(platform, body, origin)
    // The device is known from now on, so strangers who use up the code's attempts can't lock this person out.
    rememberDevice(platform, body.email, origin, reply)
    return { hasAccount }
  })
  serve(contract.register, async ({ body, query }, { request, reply }) => {
    const origin = originOf(request)
    const session = await register(platform, { ...body, ...query }, origin, onArriving)
    rememberDevice(platform, body.email, origin, reply)
    return session
  })
  serve(contract.authenticate, async ({ body }, { request, reply }) => {
    const { staySignedIn: stays, ...credentials } = body
    const origin = { ...originOf(request), stays }
    const session = await authenticate(platform, credentials, origin)
    rememberDevice(platform, body.email, origin, reply)
    return session
  })
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
