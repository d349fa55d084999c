import * as contract from '@duet/contract/push.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { getPush, pushTest, removeDevice, subscribe } from './push.ts'

export function pushRoutes(serve: Serve, platform: Platform): void {
  serve(contract.getPush, (_input, { viewer }) => getPush(platform, viewer))
  serve(contract.putPushSubscription, async ({ body: { keys, ...rest } }, { viewer }) => {
    await subscribe(platform, viewer, { ...rest, ...keys })
    return { ok: true } as const
  })
  serve(contract.deletePushDevice, async ({ params }, { viewer }) => {
    await removeDevice(platform, viewer.id, params.id)
    return { ok: true } as const
  })
  serve(contract.testPush, async (_input, { viewer }) => ({ sent: await pushTest(platform, viewer) }))
}
