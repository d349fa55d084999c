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

/** How decisions are written. */
interface Writing {
  onPart?: (done: number) => void
  now?: Date
  /** From so many on, the indexes are made after the rows: no one else can decide meanwhile. */
  bulk?: number
}

const parts = 20

/** Lets them decide part by part; fewer times than wanted where few people live. */
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
 * Lets the made-up people of a seed decide on those of them around them, about `count` times in all, the same for the
 * same seed and people; makes the matches and tallies that follow. All of it or, when something fails, nothing.
 * Returns how many decisions there are.
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
