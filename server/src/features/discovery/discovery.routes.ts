import * as contract from '@duet/contract/discovery.ts'
import { invalid } from '../../platform/errors.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { getDeck } from './deck.ts'
import { listNearby } from './discovery.ts'
import { measurePool } from './pool.ts'

/**
 * Lets a load balancer bring the next request to the node that has these people in its memory. It comes with every deck,
 * so it need not outlive the browser: no one who uses it later shall read from it where someone lives.
 */
function partCookie({ publicUrl }: Platform['config'], part: number): string {
  const isSecure = publicUrl?.startsWith('https:') ?? false
  return `duet_part=${part}; Path=${contract.getDeck.path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

export function discoveryRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listNearby, ({ query }, { viewer }) =>
    platform.inOrder(`nearby:${viewer.id}`, () => listNearby(platform, viewer.id, query.cursor, query.limit)),
  )
  serve(contract.getDeck, async ({ query }, { viewer, reply }) => {
    const { deck, part } = await getDeck(platform, viewer.id, query.limit)
    if (part !== undefined) reply.header('set-cookie', partCookie(platform.config, part))
    return deck
  })
  serve(contract.measurePool, async ({ body }, { viewer }) => {
    if (body.ageMin !== undefined && body.ageMax !== undefined && body.ageMin > body.ageMax)
      throw invalid([{ path: 'ageMin', message: 'ageMin must not be above ageMax' }])
    // One after the other: a person who asks for many at once delays only themselves.
    return platform.inOrder(`pool:${viewer.id}`, () => measurePool(platform, viewer.id, body))
  })
}
