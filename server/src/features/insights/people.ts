import { asEmail } from '@duet/contract/email-address.ts'
import type { FoundPerson, Funnel } from '@duet/contract/insights.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { noteLooks } from '../audit/looks.ts'
import { wideCellsAround } from '../cells/cells.ts'
import { findViewpoint } from '../places/places.ts'
import { countFunnel, filterNames, findByAddressOrName, findPersonRow, type PersonRow } from './people.queries.ts'

const mostFound = 20
/** The largest distance limit that can be set, in km. People farther apart can meet only if neither has a limit. */
const farthestKm = 100

function view({ id, name, area, created_at, last_active_at }: PersonRow, email = ''): FoundPerson {
  return { id, name, email, area, createdAt: created_at.toISOString(), activeAt: last_active_at.toISOString() }
}

/**
 * Finds the person with the address `text`, and people whose name begins with it in any spelling, at most twenty in
 * total. Administrators see an address only if they searched for it. The search is recorded in the audit log.
 */
export async function findPeople(platform: Platform, viewerId: string, text: string): Promise<FoundPerson[]> {
  const address = asEmail(text)
  const rows = await findByAddressOrName(platform.db, { address, text }, mostFound)
  const ids = rows.map(({ id }) => id)
  await noteLooks(platform, viewerId, 'people', ids)
  return rows.map((row) => view(row, row.has_address ? address : ''))
}

function stateOf({ hidden, paused, area }: PersonRow): Funnel['state'] {
  if (hidden) return 'hidden'
  if (paused) return 'paused'
  return area === null ? 'no_place' : 'visible'
}

/**
 * How many people remain after each filter, using the same conditions as the real search. Recorded in the audit log.
 * Throws not found.
 */
export async function funnelOf(platform: Platform, viewerId: string, userId: string): Promise<Funnel> {
  const row = isUuid(userId) ? await findPersonRow(platform.db, userId) : undefined
  if (!row) throw notFound()
  await noteLooks(platform, viewerId, 'people', [userId])
  const from = await findViewpoint(platform, userId)
  const counts = await countFunnel(platform.pool, {
    userId,
    today: platform.clock.now().toISOString().slice(0, 10),
    latitude: from?.latitude ?? null,
    longitude: from?.longitude ?? null,
    cells: from ? wideCellsAround(from.cell, farthestKm) : [],
    anywhere: from !== undefined && row.max_distance_km === null,
  })
  const steps = filterNames.map((filter) => ({
    filter,
    remaining: counts[`${filter}_left`],
    alone: counts[`${filter}_alone`],
  }))
  const costliest = steps.reduce((most, step) => (step.alone > most.alone ? step : most))
  return {
    person: view(row),
    state: stateOf(row),
    everybody: counts.everybody,
    steps,
    remaining: steps.at(-1)?.remaining ?? 0,
    costliest: costliest.alone > 0 ? costliest.filter : null,
  }
}
