import { transaction } from '../../platform/database/transaction.ts'
import type { Platform } from '../../platform/platform.ts'
import { chunks, type Reading } from './batch.ts'
import { type Beliefs, expectedOf } from './beliefs.ts'
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
const beforeEveryone = '00000000-0000-0000-0000-000000000000'
/** Logits by which people may be off on average before all of them are written anew. */
const offCentre = 0.02

const precisionsOf = ({ says, receives }: Beliefs) => ({ says: 1 / says.variance, receives: 1 / receives.variance })

/** The sums of the Newton steps that go with the effects: what the day's decisions are added to. */
function talliesOf({ ids, batch }: Reading, { learned, typical, effects }: Trained): Map<string, Tally> {
  const tallies = ids.map((user_id, place) => ({
    ...emptyTally(user_id),
    ...{ says_yes: effects.says[place] ?? 0, is_liked: effects.receives[place] ?? 0 },
  }))
  const expected = ids.map((_, person) => expectedIn(batch, person, learned.beliefs))
  for (const [place, actor] of batch.actors.entries()) {
    const [one, other] = [tallies[actor], tallies[batch.targets[place] ?? -1]]
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
 * Puts the exact effects of all decisions until `readAt` in the place of those of the day, and adds what was decided
 * since. People who have started afresh since keep what they have, and those whose decisions were not all read keep how
 * readily they say yes.
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
 * Takes out of the two numbers of all people what they have in common, from each as much as their decisions weigh: it
 * belongs to the intercept. Else people with many decisions would have it twice, and newcomers once.
 */
export async function centreTallies({ db }: Pick<Platform, 'db'>, beliefs: Beliefs): Promise<void> {
  const precisions = precisionsOf(beliefs)
  const off = await findOffCentre(db, precisions)
  if (Math.max(Math.abs(off.says), Math.abs(off.receives)) < offCentre) return
  for (let last: string | undefined = beforeEveryone; last; )
    last = await centreSome(db, precisions, off, last, peopleAtOnce)
}

/**
 * Takes out of people's two numbers what is expected of them from now on and was not `before`: else the next model would
 * count it twice, since it is in what they decided too.
 */
export async function shiftTallies(platform: Platform, before: Beliefs, now: Beliefs): Promise<void> {
  for (let last: string | undefined = beforeEveryone; last; ) {
    const ids: string[] = await findLearnedOf(platform.db, last, peopleAtOnce)
    const interests = await findInterests(platform.db, ids)
    const shifts = [...interests].map(([userId, masks]) => ({
      userId,
      says: expectedOf(now.says, masks) - expectedOf(before.says, masks),
      receives: expectedOf(now.receives, masks) - expectedOf(before.receives, masks),
    }))
    await shiftSome(platform.db, precisionsOf(now), shifts)
    last = ids.at(-1)
  }
}
