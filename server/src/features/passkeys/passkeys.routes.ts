import * as contract from '@duet/contract/passkeys.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { proveAnew, signInAs } from '../accounts/accounts.ts'
import { originOf, rememberDevice } from '../accounts/origin.ts'
import { addPasskey, askForPasskey, beginPasskey, listPasskeys, removePasskey, takeProof } from './passkeys.ts'

export function passkeyRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listPasskeys, async (_input, { viewer }) => ({ passkeys: await listPasskeys(platform, viewer) }))
  serve(contract.beginPasskey, (_input, { viewer }) => beginPasskey(platform, viewer))
  serve(contract.addPasskey, ({ body }, { viewer, request }) =>
    addPasskey(platform, viewer, body.passkey, originOf(request).device),
  )
  serve(contract.removePasskey, async ({ params }, { viewer }) => {
    await removePasskey(platform, viewer, params.id)
    return { ok: true } as const
  })
  serve(contract.askForPasskey, async () => askForPasskey(platform))
  const proved = (passkey: Parameters<typeof takeProof>[2]) => async (tx: Tx) =>
    (await takeProof(platform, tx, passkey))?.userId
  serve(contract.authenticateByPasskey, async ({ body }, { request, reply }) => {
    const origin = { ...originOf(request), stays: body.staySignedIn }
    const session = await signInAs(platform, proved(body.passkey), origin)
    rememberDevice(platform, session.email, origin, reply)
    return session
  })
  serve(contract.reauthenticateByPasskey, async ({ body }, { viewer, request }) => ({
    freshUntil: (await proveAnew(platform, viewer, proved(body.passkey), originOf(request).network)).toISOString(),
  }))
}
