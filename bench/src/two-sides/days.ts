import { matchingConstants as constants } from '../../../server/src/features/matching/constants.ts'
import type { Tally } from '../../../server/src/features/matching/learning.queries.ts'
import { learnFrom } from '../../../server/src/features/matching/learning.ts'
import { defaultModel, type RankingModel } from '../../../server/src/features/matching/model.ts'
import { sigmoid } from '../../../server/src/features/matching/ridge.ts'
import { clipLikeability } from '../../../server/src/features/matching/score.ts'
import type { Random } from '../../../server/src/platform/random.ts'
import { chance, randomFor } from './chance.ts'
import type { World } from './world.ts'

type SideOf = 0 | 1
const otherOf = (side: SideOf): SideOf => (side === 0 ? 1 : 0)

/** Someone whom the viewer hasn't seen yet, with everything that a policy may know about them. */
export interface Option {
  place: number
  /** The engine's probabilities that the viewer likes them, and that they like the viewer. */
  there: number
  back: number
  likesViewer: boolean
  passedViewer: boolean
  /** The number of likes that they haven't answered yet. */
  pending: number
  daysInactive: number
  isNew: boolean
  impressions: number
  km: number
  /** The engine's estimate of how likely others are to like them, in logits. */
  receives: number
  /**
   * Their new matches today, and whether they have no attention left for more. Only set for people who like the viewer.
   */
  matchedToday: number
  isBusy: boolean
  tally: Tally
}

/** What a policy knows besides the options. */
export interface Visit {
  meanPending: number
  day: number
  random: Random
  matchedToday: number
}

export type Policy = (options: Option[], visit: Visit) => number[]

export interface Burst {
  day: number
  likes: number
}

export interface Rules {
  days: number
  seed: number
  /**
   * `told`: the engine gets both effects from the first day, with an error. `learned`: it learns them from its own log.
   */
  effects: 'told' | 'learned'
  burst?: Burst
}

/** The results. Pairs of arrays have the men's first. */
export interface Lived {
  matches: number
  answered: readonly [Float64Array, Float64Array]
  /** How often each person was shown, at index day * people + person. */
  shown: readonly [Uint16Array, Uint16Array]
  answeredByDay: Float64Array
  /** The people liked in the burst, by index among the women. */
  burst: number[]
}

class Side {
  readonly seen: Uint8Array
  /** 0 without a like, otherwise the day of the like plus one. */
  readonly liked: Uint8Array
  readonly shown: Uint16Array
  readonly impressions: Float64Array
  readonly pending: Float64Array
  readonly answered: Float64Array
  readonly matches: Float64Array
  readonly matchedToday: Float64Array
  readonly attention: Float64Array
  readonly lastDay: Int32Array
  readonly tallies: Tally[]
  readonly people: number
  /** Each person's days in the market: from `from` up to, but not including, `until`. */
  readonly from: Int32Array
  readonly until: Float64Array
  readonly told: Float64Array
  constructor(inhabitants: World['sides'][0], others: number, days: number, name: string) {
    const people = inhabitants.length
    this.people = people
    this.from = Int32Array.from(inhabitants, ({ here }) => here[0])
    this.until = Float64Array.from(inhabitants, ({ here }) => here[1])
    this.told = Float64Array.from(inhabitants, ({ receives, errors }) => receives + errors[1])
    this.seen = new Uint8Array(people * others)
    this.liked = new Uint8Array(people * others)
    this.shown = new Uint16Array(people * days)
    this.impressions = new Float64Array(people)
    this.pending = new Float64Array(people)
    this.answered = new Float64Array(people)
    this.matches = new Float64Array(people)
    this.matchedToday = new Float64Array(people)
    this.attention = new Float64Array(people)
    this.lastDay = this.from.slice()
    this.tallies = Array.from({ length: people }, (_, place) => ({
      ...{ user_id: `${name}${place}`, says_yes: 0, is_liked: 0 },
      ...{ made_weight: 0, received_weight: 0, made: 0, received: 0 },
    }))
  }
}

const answersADay = 2
const newcomerDays = 2
/** The weight of unanswered likes halves every week, as in the product. */
const decayADay = 2 ** (-1 / 7)

class Market {
  readonly sides: readonly [Side, Side]
  readonly tallies: Map<string, Tally>
  readonly model: RankingModel
  /** Reused for every visit, because thousands of visits have hundreds of options each. */
  readonly spare: Option[] = []
  readonly answeredByDay: Float64Array
  matches = 0
  day = 0

  constructor(
    readonly world: World,
    readonly rules: Rules,
  ) {
    const [men, women] = world.sides
    this.sides = [new Side(men, women.length, rules.days, 'm'), new Side(women, men.length, rules.days, 'w')]
    this.tallies = new Map(this.sides.flatMap(({ tallies }) => tallies.map((one) => [one.user_id, one] as const)))
    this.answeredByDay = new Float64Array(rules.days)
    const known = world.features[0]
    this.model = { ...defaultModel, typical: known.reduce((sum, one) => sum + one, 0) / known.length }
  }

  isHere(side: SideOf, place: number): boolean {
    const { from, until } = this.sides[side]
    return from[place]! <= this.day && this.day < until[place]!
  }

  believed(side: SideOf, viewer: number, place: number): number {
    const pair = viewer * this.sides[otherOf(side)].people + place
    if (this.rules.effects === 'told') return this.world.belief[side][pair]!
    const a = this.sides[side].tallies[viewer]!.says_yes
    const b = this.sides[otherOf(side)].tallies[place]!.is_liked
    return sigmoid(this.model.intercept + a + clipLikeability(b) + this.world.features[side][pair]!)
  }

  optionsOf(side: SideOf, viewer: number): Option[] {
    const [own, other] = [this.sides[side], this.sides[otherOf(side)]]
    const isTold = this.rules.effects === 'told'
    const options: Option[] = []
    for (let place = 0; place < other.people; place++) {
      const there = viewer * other.people + place
      if (own.seen[there] || !this.isHere(otherOf(side), place)) continue
      const back = place * own.people + viewer
      const option = this.spare[options.length] ?? ({} as Option)
      this.spare[options.length] = option
      option.place = place
      option.there = this.believed(side, viewer, place)
      option.back = this.believed(otherOf(side), place, viewer)
      option.likesViewer = other.liked[back]! > 0
      option.passedViewer = other.seen[back] === 1 && other.liked[back] === 0
      option.pending = other.pending[place]!
      option.daysInactive = this.day - other.lastDay[place]!
      option.isNew = this.day - other.from[place]! < newcomerDays
      option.impressions = other.impressions[place]!
      option.km = this.world.km[side === 0 ? there : back]!
      option.receives = isTold ? other.told[place]! : other.tallies[place]!.is_liked
      option.matchedToday = other.matchedToday[place]!
      option.isBusy = option.likesViewer && option.matchedToday >= constants.answeredADay
      option.tally = other.tallies[place]!
      options.push(option)
    }
    return options
  }

  decide(side: SideOf, viewer: number, place: number): void {
    const other = this.sides[otherOf(side)]
    const pair = viewer * other.people + place
    other.shown[this.day * other.people + place]!++
    other.impressions[place]!++
    const yes = chance(this.rules.seed, 'decision', side, pair, this.day) < this.world.truth[side][pair]!
    this.take(side, viewer, place, yes)
  }

  take(side: SideOf, viewer: number, place: number, yes: boolean): void {
    const [own, other] = [this.sides[side], this.sides[otherOf(side)]]
    const there = viewer * other.people + place
    const back = place * own.people + viewer
    own.seen[there] = 1
    const answers = other.liked[back]! > 0
    if (answers) own.pending[viewer] = Math.max(0, own.pending[viewer]! - 1)
    if (this.rules.effects === 'learned') {
      const [actorId, targetId] = [own.tallies[viewer]!.user_id, other.tallies[place]!.user_id]
      const counts = { at: new Date(0), countsForActor: true, countsForTarget: true }
      learnFrom([{ actorId, targetId, yes, ...counts }], this.tallies, this.model)
    }
    if (!yes) return
    own.liked[there] = 1 + this.day
    if (answers) this.match(own, viewer, other, place)
    else if (!other.seen[back]) other.pending[place]!++
  }

  match(one: Side, viewer: number, other: Side, place: number): void {
    this.matches++
    one.matches[viewer]!++
    other.matches[place]!++
    one.matchedToday[viewer]!++
    other.matchedToday[place]!++
    if (one.attention[viewer]! < 1 || other.attention[place]! < 1) return
    one.attention[viewer]!--
    other.attention[place]!--
    this.answeredByDay[this.day]!++
    one.answered[viewer]!++
    other.answered[place]!++
  }

  meanPending(): number {
    let [sum, count] = [0, 0]
    for (const side of [0, 1] as const)
      for (let place = 0; place < this.sides[side].people; place++) {
        if (!this.isHere(side, place)) continue
        sum += this.sides[side].pending[place]!
        count++
      }
    return count > 0 ? sum / count : 0
  }

  visits(): { side: SideOf; viewer: number }[] {
    const { seed } = this.rules
    return ([0, 1] as const)
      .flatMap((side) =>
        this.world.sides[side].flatMap(({ activity }, viewer) => {
          const comes = this.isHere(side, viewer) && chance(seed, 'visit', side, viewer, this.day) < activity
          return comes ? [{ side, viewer, order: chance(seed, 'order', side, viewer, this.day) }] : []
        }),
      )
      .sort((one, later) => one.order - later.order)
  }

  /** Drops the likes of people who leave today, and reduces the weight of the other unanswered likes. */
  settlePending(): void {
    for (const side of [0, 1] as const) {
      const [own, other] = [this.sides[side], this.sides[otherOf(side)]]
      for (let place = 0; place < other.people; place++) other.pending[place]! *= decayADay
      for (const [viewer, until] of own.until.entries()) {
        if (until !== this.day) continue
        for (let place = 0; place < other.people; place++) {
          const liked = own.liked[viewer * other.people + place]!
          if (liked === 0 || other.seen[place * own.people + viewer]) continue
          other.pending[place] = Math.max(0, other.pending[place]! - decayADay ** (this.day + 1 - liked))
        }
      }
    }
  }

  live(policy: Policy): void {
    for (const side of this.sides) {
      side.attention.fill(answersADay)
      side.matchedToday.fill(0)
    }
    if (this.rules.effects === 'learned') this.settlePending()
    const meanPending = this.meanPending()
    for (const { side, viewer } of this.visits()) {
      const own = this.sides[side]
      own.lastDay[viewer] = this.day
      const random = randomFor(this.rules.seed, 'policy', side, viewer, this.day)
      const visit = { meanPending, day: this.day, random, matchedToday: own.matchedToday[viewer]! }
      for (const place of policy(this.optionsOf(side, viewer), visit)) this.decide(side, viewer, place)
    }
  }

  /** Makes the man who has seen the fewest women like random women, up to `likes`. Returns them. */
  burst(likes: number): number[] {
    const women = this.sides[1].people
    const seenBy = (place: number) =>
      this.sides[0].seen.subarray(place * women, (place + 1) * women).reduce((sum, one) => sum + one, 0)
    const viewer = [...this.sides[0].from.keys()]
      .filter((place) => this.isHere(0, place))
      .reduce((newest, place) => (seenBy(place) < seenBy(newest) ? place : newest))
    const drawn = Array.from({ length: women }, (_, place) => ({
      place,
      draw: chance(this.rules.seed, 'burst', place),
    }))
      .filter(({ place }) => this.isHere(1, place) && !this.sides[0].seen[viewer * women + place])
      .sort((one, other) => one.draw - other.draw)
      .slice(0, likes)
    for (const { place } of drawn) this.take(0, viewer, place, true)
    return drawn.map(({ place }) => place)
  }
}

/**
 * Simulates some days under one policy. Under every policy, a seed gives the same visits in the same order, and the
 * same decision for the same pair on the same day.
 */
export function simulate(world: World, policy: Policy, rules: Rules): Lived {
  const market = new Market(world, rules)
  let burst: number[] = []
  for (market.day = 0; market.day < rules.days; market.day++) {
    if (market.day === rules.burst?.day) burst = market.burst(rules.burst.likes)
    market.live(policy)
  }
  const [men, women] = market.sides
  const { matches, answeredByDay } = market
  return { matches, answered: [men.answered, women.answered], answeredByDay, shown: [men.shown, women.shown], burst }
}
