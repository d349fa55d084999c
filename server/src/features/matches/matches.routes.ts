import * as contract from '@duet/contract/matches.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Serve } from '../../platform/serve.ts'
import { listMatches, unmatch } from './matches.ts'

const lists = { name: 'match_lists', points: 120, seconds: 60 }
const endings = { name: 'match_endings', points: 60, seconds: 60 }

/** `onParted` runs once a match has ended, for what must happen at once on live connections. */
export function matchRoutes(serve: Serve, platform: Platform, onParted: (a: string, b: string) => void): void {
  serve(contract.listMatches, async (_input, { viewer }) => {
    await platform.limits.spendHere(lists, viewer.id)
    return { matches: await listMatches(platform, viewer.id) }
  })
  serve(contract.unmatch, async ({ params }, { viewer }) => {
    await platform.limits.spendHere(endings, viewer.id)
    await unmatch(platform, viewer.id, params.userId, onParted)
    return { ok: true } as const
  })
}
