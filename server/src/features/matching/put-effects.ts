import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { chunks, type Reading } from './batch.ts'
import { type Beliefs, expectedOf, type NamedBeliefs, readBeliefs } from './beliefs.ts'
import {
  centreSome,
  findHeardBetween,
  findInterests,
  findLearnedOf,
  findLessons,
  findOffCentre,
  findUnchanged,
  lockTallies,
  putTallies,
  shiftSome,
  type Tally,
} from './learning.queries.ts'
import { emptyTally, learnFrom, settledUntil } from './learning.ts'
import type { RankingModel } from './model.ts'
import { sigmoid } from './ridge.ts'
import { expectedIn, type Trained } from './training.ts'

const peopleAtOnce = 200
const peopleInJob = 1_000
const beforeEveryone = '00000000-0000-0000-0000-000000000000'
/** How far the average of all effects may drift, in logits, before all tallies are centred again. */
const offCentre = 0.02

const precisionsOf = ({ says, receives }: Beliefs) => ({ says: 1 / says.variance, receives: 1 / receives.variance })

/** Tallies of the fitted effects, with the sums of their Newton steps, so that later decisions can be added. */
function talliesOf({ ids, batch }: Reading, { learned, typical, effects }: Trained): Map<string, Tally> {
  const tallies = ids.map((user_id, place) => ({
    ...emptyTally(user_id),
    says_yes: effects.says[place] ?? 0,
    is_liked: effects.receives[place] ?? 0,
  }))
  const expected = ids.map((_, person) => expectedIn(batch, person, learned.beliefs))
  for (const [place, actor] of batch.actors.entries()) {
    const one = tallies[actor]
    const other = tallies[batch.targets[place] ?? -1]
    if (!one || !other) continue
    const saysYes = expected[actor]!.says + one.says_yes
    const isLiked = expected[batch.targets[place]!]!.receives + other.is_liked
    const p = sigmoid(learned.intercept + typical + saysYes + isLiked)
    one.made++
    one.made_weight += p * (1 - p)
    other.received++
    other.received_weight += p * (1 - p)
  }
  return new Map(tallies.map((tally) => [tally.user_id, tally]))
}

/**
 * Replaces the day's approximate effects with exact ones from all decisions until `readAt`, then adds later decisions.
 * People who have reset learning since then keep their tally. People whose decisions were only partly read keep the
 * approximate value of how often they like others.
 */
export async function putEffects(
  platform: Platform,
  reading: Reading,
  trained: Trained,
  { readAt, model }: { readAt: Date; model: RankingModel },
): Promise<void> {
  const exact = talliesOf(reading, trained)
  for (const ids of chunks([...exact.keys()].sort(), peopleAtOnce)) {
    await transaction(platform, async (tx) => {
      const until = settledUntil(tx.clock.now())
      const locked = await lockTallies(tx.db, ids)
      const unchanged = await findUnchanged(tx.db, ids, readAt)
      const lessons = await findLessons(tx.db, await findHeardBetween(tx.db, ids, readAt, until))
      const people = [...ids, ...lessons.flatMap(({ actorId, targetId }) => [actorId, targetId])]
      const tallies = new Map(people.map((id) => [id, { ...(exact.get(id) ?? emptyTally(id)) }]))
      learnFrom(lessons, tallies, model, await findInterests(tx.db, people))
      const rows = locked.flatMap((row) => {
        const { says_yes, made, made_weight } = row
        const own = reading.cut.has(row.user_id) ? { says_yes, made, made_weight } : {}
        return unchanged.has(row.user_id) ? [{ ...row, ...tallies.get(row.user_id), ...own }] : []
      })
      await putTallies(tx.db, rows, until)
    })
  }
}

/**
 * Subtracts the average of all people's effects, which the intercept already includes, in proportion to how much is
 * known of each person. Otherwise the average would count twice for people with many decisions.
 */
export async function centreTallies({ db }: Pick<Platform, 'db'>, beliefs: Beliefs): Promise<void> {
  const precisions = precisionsOf(beliefs)
  const off = await findOffCentre(db, precisions)
  if (Math.max(Math.abs(off.says), Math.abs(off.receives)) < offCentre) return
  for (let last: string | undefined = beforeEveryone; last; )
    last = await centreSome(db, precisions, off, last, peopleAtOnce)
}

/** Shifts the tallies of the next people after `last`. Returns the last id; undefined when nobody is left. */
async function shiftPage(
  db: Platform['db'],
  { before, now }: { before: Beliefs; now: Beliefs },
  last: string,
  most: number,
): Promise<string | undefined> {
  const ids = await findLearnedOf(db, last, most)
  const interests = await findInterests(db, ids)
  const shifts = [...interests].map(([userId, masks]) => ({
    userId,
    says: expectedOf(now.says, masks) - expectedOf(before.says, masks),
    receives: expectedOf(now.receives, masks) - expectedOf(before.receives, masks),
  }))
  await shiftSome(db, precisionsOf(now), shifts)
  return ids.at(-1)
}

/**
 * Subtracts the change of the prior means from people's tallies. Otherwise the next model would count it twice, because
 * decisions reflect it too.
 */
export async function shiftTallies({ db }: Pick<Platform, 'db'>, before: Beliefs, now: Beliefs): Promise<void> {
  for (let last: string | undefined = beforeEveryone; last; )
    last = await shiftPage(db, { before, now }, last, peopleAtOnce)
}

interface ShiftPayload {
  before: NamedBeliefs
  now: NamedBeliefs
  last?: string
}

/**
 * Shifts all tallies in a chain of jobs. Each job adds the next one in its own transaction, so no tally is shifted
 * twice, even after a failure.
 */
export const shiftLater = (tx: Pick<Tx, 'db'>, payload: ShiftPayload): Promise<void> =>
  addJobIn(tx.db, 'shift-tallies', payload)

/** Runs one `shift-tallies` job with the rights of the database's owner. */
export async function shiftNext(
  platform: Platform,
  { before, now, last = beforeEveryone }: ShiftPayload,
): Promise<void> {
  const beliefs = { before: readBeliefs(before), now: readBeliefs(now) }
  const next = await transaction(platform, async (tx) => {
    const reached = await shiftPage(tx.db, beliefs, last, peopleInJob)
    if (reached) await shiftLater(tx, { before, now, last: reached })
    return reached
  })
  if (!next) await centreTallies(platform, beliefs.now)
}
