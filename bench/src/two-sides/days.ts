import { gini } from '../../../server/src/features/matching/metrics.ts'
import { type Random, seededRandom, shuffle } from '../../../server/src/features/matching/random.ts'
import type { World } from './world.ts'

/** Somebody the viewer was not shown yet, as a policy may see them. */
export interface Option {
  id: string
  place: number
  /** What the engine believes: how likely the viewer likes them, and they the viewer. */
  there: number
  back: number
  likesViewer: boolean
  passedViewer: boolean
  /** Likes that wait for their answer. */
  pending: number
  daysInactive: number
  impressions: number
  km: number
  /** What the engine believes of how often they are said yes to. */
  receives: number
}

/** Picks whom a viewer sees today, in order. */
export type Policy = (options: Option[], surroundings: { meanPending: number; day: number; random: Random }) => number[]

export interface Outcome {
  matches: number
  /** Matches that got an answer: both had attention left that day. */
  answered: number
  shown: number
  giniMen: number
  giniWomen: number
  /** Shares of people with at least one answered match. */
  menAnswered: number
  womenAnswered: number
}

interface Side {
  people: number
  seen: Uint8Array
  liked: Uint8Array
  shown: Float64Array
  pending: Float64Array
  answered: Float64Array
  attention: Float64Array
  lastDay: Int32Array
}

const answersADay = 2

function emptySide(people: number, others: number): Side {
  return {
    people,
    seen: new Uint8Array(people * others),
    liked: new Uint8Array(people * others),
    shown: new Float64Array(people),
    pending: new Float64Array(people),
    answered: new Float64Array(people),
    attention: new Float64Array(people),
    lastDay: new Int32Array(people),
  }
}

interface Market {
  world: World
  sides: readonly [Side, Side]
  random: Random
  matches: number
}

function optionsOf({ world, sides }: Market, side: 0 | 1, viewer: number, day: number): Option[] {
  const [own, other] = side === 0 ? sides : [sides[1], sides[0]]
  const people = world.sides[side === 0 ? 1 : 0]
  const options: Option[] = []
  for (let place = 0; place < other.people; place++) {
    const there = viewer * other.people + place
    if (own.seen[there]) continue
    const back = place * own.people + viewer
    const person = people[place]!
    options.push({
      id: String(place),
      place,
      there: world.belief[side]![there]!,
      back: world.belief[side === 0 ? 1 : 0]![back]!,
      likesViewer: other.liked[back] === 1,
      passedViewer: other.seen[back] === 1 && other.liked[back] === 0,
      pending: other.pending[place]!,
      daysInactive: day - other.lastDay[place]!,
      impressions: other.shown[place]!,
      km: world.km[side === 0 ? there : back]!,
      receives: person.receives + person.errors[1],
    })
  }
  return options
}

/** The viewer looks at one card and likes or passes. */
function decide(market: Market, side: 0 | 1, viewer: number, place: number): void {
  const { world, sides, random } = market
  const [own, other] = side === 0 ? sides : [sides[1], sides[0]]
  const there = viewer * other.people + place
  const back = place * own.people + viewer
  own.seen[there] = 1
  other.shown[place]!++
  const answers = other.liked[back] === 1
  if (answers) own.pending[viewer]!--
  if (random() >= world.truth[side]![there]!) return
  own.liked[there] = 1
  if (!answers) {
    if (!other.seen[back]) other.pending[place]!++
    return
  }
  market.matches++
  if (own.attention[viewer]! < 1 || other.attention[place]! < 1) return
  for (const [one, person] of [
    [own, viewer],
    [other, place],
  ] as const) {
    one.attention[person]!--
    one.answered[person]!++
  }
}

function meanPending([men, women]: Market['sides']): number {
  const sum = (side: Side) => side.pending.reduce((total, one) => total + one, 0)
  return (sum(men) + sum(women)) / (men.people + women.people)
}

function live(market: Market, policy: Policy, day: number): void {
  const { world, sides, random } = market
  const visits = world.sides.flatMap((people, side) =>
    people.flatMap(({ activity }, viewer) => (random() < activity ? [{ side: side as 0 | 1, viewer }] : [])),
  )
  const mean = meanPending(sides)
  for (const { side, viewer } of shuffle(random, visits)) {
    sides[side].lastDay[viewer] = day
    const picked = policy(optionsOf(market, side, viewer, day), { meanPending: mean, day, random })
    for (const place of picked) decide(market, side, viewer, place)
  }
}

/** Lets everybody live for some days under one policy. The same seed has the same days, whatever the policy. */
export function simulate(world: World, policy: Policy, days: number, seed: number): Outcome {
  const [men, women] = world.sides
  const sides = [emptySide(men.length, women.length), emptySide(women.length, men.length)] as const
  const market: Market = { world, sides, random: seededRandom(seed * 31 + 7), matches: 0 }
  for (let day = 0; day < days; day++) {
    for (const side of sides) side.attention.fill(answersADay)
    live(market, policy, day)
  }
  const sum = (list: Float64Array) => list.reduce((total, one) => total + one, 0)
  const some = (list: Float64Array) => list.filter((one) => one > 0).length / list.length
  return {
    matches: market.matches,
    answered: sum(sides[0].answered),
    shown: sum(sides[0].shown) + sum(sides[1].shown),
    giniMen: gini(sides[0].shown),
    giniWomen: gini(sides[1].shown),
    menAnswered: some(sides[0].answered),
    womenAnswered: some(sides[1].answered),
  }
}
