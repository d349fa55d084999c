import { LRUCache } from 'lru-cache'
import { days } from '../../platform/clock.ts'
import { agreementOf } from '../matching/agreement.ts'
import { matchingConstants } from '../matching/constants.ts'

/** The answers of a viewer and of another person. */
export interface Sheets {
  mine: Uint8Array | undefined
  theirs: Uint8Array | undefined
}

interface Told extends Sheets {
  /** How many questions both had answered. */
  asked: number
}

const told = new LRUCache<string, Told>({ max: 20_000, ttl: days(1) })

/**
 * The answers that decide which agreement a viewer is shown: as they were when it was shown last, until both
 * have answered enough further questions or a day is over. A viewer who changed one answer and looked again would read the
 * other one's out of the difference.
 */
export function sheetsToTell(viewerId: string, otherId: string, { mine, theirs }: Sheets): Sheets {
  const pair = `${viewerId} ${otherId}`
  if (!theirs) told.delete(pair)
  const before = told.get(pair)
  const asked = mine && theirs ? agreementOf(mine, theirs).asked : 0
  const { questionsLeast } = matchingConstants
  if (before && asked < before.asked + questionsLeast) return before
  if (mine && theirs && asked >= questionsLeast)
    told.set(pair, { mine: Uint8Array.from(mine), theirs: Uint8Array.from(theirs), asked })
  return { mine, theirs }
}
