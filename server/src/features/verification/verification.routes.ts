import * as contract from '@duet/contract/verification.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { actorOf } from '../audit/actor.ts'
import { decideVerification, listVerifications, lookAtSelfie } from './review.ts'
import { readSelfieForm } from './selfie-form.ts'
import { getVerification, sendSelfie, startVerification, takeBackVerification } from './verification.ts'

const done = { ok: true } as const

export function verificationRoutes(serve: Serve, platform: Platform): void {
  serve(contract.getVerification, (_input, { viewer }) => getVerification(platform, viewer.id))
  serve(contract.startVerification, ({ body }, { viewer }) => startVerification(platform, viewer.id, body.handsFree))
  serve(contract.sendSelfie, (_input, { viewer, request }) =>
    sendSelfie(platform, viewer.id, () => readSelfieForm(request)),
  )
  serve(contract.takeBackVerification, async (_input, { viewer }) => {
    await takeBackVerification(platform, viewer.id)
    return done
  })
  serve(contract.listVerifications, ({ query }, { viewer }) => listVerifications(platform, viewer.id, query))
  serve(contract.lookAtSelfie, ({ params }, call) => lookAtSelfie(platform, actorOf(call), params.id))
  serve(contract.decideVerification, async ({ params, body }, call) => {
    await decideVerification(platform, actorOf(call), params.id, body)
    return done
  })
}
