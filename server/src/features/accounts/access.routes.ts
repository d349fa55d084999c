import * as contract from '@duet/contract/accounts.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { getAccess } from './accounts.ts'
import { type AddressHooks, confirmAddressChange, requestAddressChange, undoAddressChange } from './address-change.ts'
import { codeLife } from './codes.ts'
import { deviceIdFor } from './known-device.ts'
import { originOf, rememberDevice } from './origin.ts'
import { putPassword, removePassword } from './password.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'

const done = { ok: true } as const

export function accessRoutes(serve: Serve, platform: Platform, hooks: AddressHooks): void {
  serve(contract.getAccess, (_input, { viewer }) => getAccess(platform, viewer.id))
  serve(contract.putPassword, async ({ body }, { viewer }) => {
    await putPassword(platform, viewer, body.password)
    return done
  })
  serve(contract.removePassword, async (_input, { viewer }) => {
    await removePassword(platform, viewer)
    return done
  })
  serve(contract.makeRecoveryCodes, async (_input, { viewer }) => ({
    recoveryCodes: await makeRecoveryCodes(platform, viewer),
  }))
  serve(contract.requestAddressChange, async ({ body }, { viewer, request }) => {
    await requestAddressChange(platform, viewer, body.email, hooks, request.id)
    return codeLife
  })
  serve(contract.confirmAddressChange, async ({ body }, { viewer, request, reply }) => {
    const origin = originOf(request)
    const deviceId = deviceIdFor(platform, body.email, origin)
    await confirmAddressChange(platform, viewer, { ...body, network: origin.network, deviceId }, hooks)
    rememberDevice(platform, body.email, origin, reply)
    return { email: body.email }
  })
  serve(contract.undoAddressChange, async ({ body }) => {
    await undoAddressChange(platform, body.token, hooks)
    return done
  })
}
