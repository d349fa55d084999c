import type { Tally } from '../../../server/src/features/matching/learning.queries.ts'
import { learnFrom } from '../../../server/src/features/matching/learning.ts'
import { defaultModel, type RankingModel } from '../../../server/src/features/matching/model.ts'
import { fillRow, productFeatures } from '../../../server/src/features/matching/pair.ts'
import { scoreAll } from '../../../server/src/features/matching/score.ts'
import { type Batch, train } from '../../../server/src/features/matching/training.ts'
import type { Candidate, Traits } from '../../../server/src/features/matching/traits.ts'
import { interests } from './columns.ts'
import type { Dater, Pair } from './evenings.ts'
import { mask, type Regime } from './protocol.ts'

/** Match probabilities with the product's settings, and with other settings, by name. */
export interface Served {
  /** After nightly training. */
  served: number
  /** With effects updated online after each decision. */
  'served, as they decide': number
  'served, product': number
  'served, harmonic': number
}

const likedFrom = 8
const usualAge = 26
/** Maps the data's goals to the closest of our intents: a night out, new people, dates, a relationship. */
const intents: Readonly<Record<string, number>> = { 1: 1 << (8 - 1), 2: 1 << (4 - 1), 3: 1 << (2 - 1), 4: 1 << (1 - 1) }

/** What the product would know about a person, as far as these evenings asked: age, interests and intent. */
function traitsOf({ place, age, goal, interests: ratings }: Dater): Traits {
  const liked = ratings.reduce((bits, rating, interest) => bits | (rating >= likedFrom ? 1 << interest : 0), 0)
  return {
    ...{ id: String(place), age: Number.isNaN(age) ? usualAge : age, traits: intents[goal] ?? 0 },
    ...{ avoids: 0, languages: 0, interests: [liked, 0] as const, a: 0, b: 0 },
  }
}

function rarityOf(people: readonly Dater[]): Float64Array {
  return Float64Array.from(interests, (_, interest) => {
    const liking = people.filter(({ interests: ratings }) => (ratings[interest] ?? 0) >= likedFrom).length
    return Math.log((people.length + 1) / (liking + 1))
  })
}

/** One decision. A person counts as a different person under each mask. */
interface Said {
  actor: number
  target: number
  one: Traits
  other: Traits
  yes: number
  recent: number
}

function batchOf(said: readonly Said[], people: readonly Traits[], rarity: Float64Array): Batch {
  const columns = productFeatures.length
  const rows = new Float64Array(said.length * columns)
  for (const [place, { one, other }] of said.entries())
    fillRow(rows.subarray(place * columns, (place + 1) * columns), one, other, null, rarity)
  return {
    ...{ people: people.length, rows, columns },
    interests: Int32Array.from(people.flatMap(({ interests: masks }) => [...masks])),
    actors: Int32Array.from(said, ({ actor }) => actor),
    targets: Int32Array.from(said, ({ target }) => target),
    labels: Uint8Array.from(said, ({ yes }) => yes),
    stages: new Uint8Array(said.length),
    exploring: new Float64Array(said.length),
    recent: Uint8Array.from(said, ({ recent }) => recent),
  }
}

const tally = (user_id: string): Tally => ({
  ...{ user_id, says_yes: 0, is_liked: 0, made_weight: 0, received_weight: 0, made: 0, received: 0 },
})

/** Learns the two effects of one evening's people online, pair by pair. */
function learnOnline(
  visible: readonly Pair[],
  model: RankingModel,
  traits: ReadonlyMap<number, Traits>,
): Map<string, Tally> {
  const ids = new Set(visible.flatMap(({ people }) => people.map(({ place }) => String(place))))
  const tallies = new Map([...ids].map((id) => [id, tally(id)]))
  const counts = { at: new Date(0), countsForActor: true, countsForTarget: true }
  const heard = [...visible]
    .sort((one, other) => one.order - other.order)
    .flatMap(({ people: [man, woman], said }) => {
      const [actorId, targetId] = [String(man.place), String(woman.place)]
      return [
        { actorId, targetId, yes: said[0] === 1, ...counts },
        { actorId: targetId, targetId: actorId, yes: said[1] === 1, ...counts },
      ]
    })
  const interests = new Map([...traits.values()].map(({ id, interests: masks }) => [id, masks]))
  learnFrom(heard, tallies, model, interests)
  return tallies
}

function matchOf(model: RankingModel, one: Traits, other: Traits, rarity: Float64Array): number {
  const candidate: Candidate = {
    ...other,
    ...{ distanceKm: null, daysInactive: 0, pending: 0, likesViewer: false, isNew: false, impressions: 0 },
  }
  return scoreAll(model, one, [candidate], { rarity, meanPending: 0 }).match[0] ?? 0
}

/**
 * Returns match probabilities for every hidden pair of the `tested` evenings, from the product's own features, starting
 * weights, priors, penalty, training, clipping and combination. Weights and priors are fitted on the other evenings, as
 * in nightly training. People's effects are learned from the visible pairs, both exactly (`served`) and online.
 */
export function serve(pairs: readonly Pair[], tested: readonly number[], regime: Regime): Map<string, Served> {
  const daters = [...new Set(pairs.flatMap(({ people }) => [...people]))]
  const rarity = rarityOf(daters)
  const traits = new Map(daters.map((dater) => [dater.place, traitsOf(dater)]))
  const places = new Map<string, number>()
  const people: Traits[] = []
  const placeOf = (dater: Dater, seed: number) => {
    const key = `${dater.place} ${seed}`
    const place = places.get(key) ?? people.push(traits.get(dater.place)!) - 1
    places.set(key, place)
    return place
  }
  const saidOf = ({ people, said }: Pair, seed: number, recent: number): Said[] =>
    ([0, 1] as const).map((side) => {
      const [actor, target] = [people[side], people[side === 0 ? 1 : 0]]
      return {
        ...{ actor: placeOf(actor, seed), target: placeOf(target, seed), yes: said[side], recent },
        ...{ one: traits.get(actor.place)!, other: traits.get(target.place)! },
      }
    })
  const masks = regime.masks.flatMap((seed) => tested.map((wave) => ({ seed, ...mask(pairs, wave, regime, seed) })))
  const past = pairs.filter(({ wave }) => !tested.includes(wave)).flatMap((pair) => saidOf(pair, 0, 0))
  const recent = masks.flatMap(({ visible, seed }) => visible.flatMap((pair) => saidOf(pair, seed, 1)))
  const batch = batchOf([...past, ...recent], people, rarity)
  const { learned, typical, effects } = train(batch, defaultModel, [defaultModel])
  const model: RankingModel = { ...defaultModel, ...learned, typical }
  const served = new Map<string, Served>()
  for (const { seed, visible, hidden } of masks) {
    const tallies = learnOnline(visible, model, traits)
    const exactly = (dater: Dater): Traits => {
      const place = places.get(`${dater.place} ${seed}`) ?? -1
      return { ...traits.get(dater.place)!, a: effects.says[place] ?? 0, b: effects.receives[place] ?? 0 }
    }
    const online = (dater: Dater): Traits => {
      const { says_yes: a, is_liked: b } = tallies.get(String(dater.place)) ?? tally('')
      return { ...traits.get(dater.place)!, a, b }
    }
    for (const {
      people: [man, woman],
    } of hidden)
      served.set(`${man.place} ${woman.place} ${seed}`, {
        served: matchOf(model, exactly(man), exactly(woman), rarity),
        'served, as they decide': matchOf(model, online(man), online(woman), rarity),
        'served, product': matchOf({ ...model, combine: { kind: 'product' } }, exactly(man), exactly(woman), rarity),
        'served, harmonic': matchOf({ ...model, combine: { kind: 'harmonic' } }, exactly(man), exactly(woman), rarity),
      })
  }
  return served
}
