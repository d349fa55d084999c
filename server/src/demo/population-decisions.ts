import type { Db } from '../platform/database/database.ts'
import {
  analyzeDecisions,
  countLookers,
  createLookingTable,
  dropIndexes,
  insertDecisions,
  insertTallies,
  isUndecided,
  makeIndexes,
  makeRoom,
  matchMutualLikes,
  numberPeople,
} from './population-decisions.queries.ts'
import { emailsOf } from './population-people.ts'

interface Writing {
  onPart?: (done: number) => void
  now?: Date
  /** From this many decisions on, indexes are dropped and rebuilt, which blocks other decisions meanwhile. */
  bulk?: number
}

const parts = 20

async function decideAll(db: Db, now: Date, onPart: Writing['onPart']) {
  const lookers = await countLookers(db)
  let done = 0
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((lookers * part) / parts)
    const to = Math.floor((lookers * (part + 1)) / parts)
    done += await insertDecisions(db, { from, to, now })
    if (part < parts - 1) onPart?.(done)
  }
  return done
}

/**
 * Generates about `count` decisions, always the same for a seed and people, and the resulting matches and statistics,
 * in one transaction.
 */
export async function seedDecisions(
  db: Db,
  count: number,
  seed: number,
  { onPart, now = new Date(), bulk = 500_000 }: Writing = {},
): Promise<number> {
  const done = await db.transaction().execute(async (tx) => {
    await makeRoom(tx)
    const people = await numberPeople(tx, emailsOf(seed), seed)
    if (people < 2) return 0
    await createLookingTable(tx, count / people)
    const later = count >= bulk && (await isUndecided(tx)) ? await dropIndexes(tx) : []
    const made = await decideAll(tx, now, onPart)
    await makeIndexes(tx, later)
    await matchMutualLikes(tx)
    await insertTallies(tx, now)
    return made
  })
  await analyzeDecisions(db)
  return done
}
