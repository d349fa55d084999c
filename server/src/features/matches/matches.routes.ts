import * as contract from '@duet/contract/matches.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { listMatches, unmatch } from './matches.ts'

/** `onParted` runs after a match has ended, to update live connections immediately. */
export function matchRoutes(serve: Serve, platform: Platform, onParted: (a: string, b: string) => void): void {
  serve(contract.listMatches, async (_input, { viewer }) => ({ matches: await listMatches(platform, viewer.id) }))
  serve(contract.unmatch, async ({ params }, { viewer }) => {
    await unmatch(platform, viewer.id, params.userId, onParted)
    return { ok: true } as const
  })
}
