import { type Policy, type Rules, simulate } from './days.ts'
import { type Outcome, outcomeOf, reachOf } from './outcomes.ts'
import { baselines, duet } from './policies.ts'
import { steps } from './steps.ts'
import { drawWorld, withComings } from './world.ts'

export interface Market {
  title: string
  people: readonly [number, number]
  days: number
  effects: Rules['effects']
  /** The number of women that one man likes on the eighth day. */
  burst: number
}

export const markets = {
  old: {
    title: '900 x 600, 14 days, no one comes or goes, both effects known with an error from the first day',
    ...{ people: [900, 600], days: 14, effects: 'told', burst: 0 },
  },
  dense: {
    title: '450 x 300 at a time, 900 x 600 in all, 21 days, effects learned from nothing, 5 % leave a day',
    ...{ people: [900, 600], days: 21, effects: 'learned', burst: 100 },
  },
  sparse: {
    title: '60 x 40 at a time, 120 x 80 in all, 21 days, effects learned from nothing, 5 % leave a day',
    ...{ people: [120, 80], days: 21, effects: 'learned', burst: 20 },
  },
} as const satisfies Record<string, Market>
export type MarketName = keyof typeof markets

const common = {
  'distance only': baselines['distance only'],
  'reciprocal, no congestion': baselines['reciprocal, no congestion'],
  duet,
}

/** The policies compared in each market. Those in `steps` each change one thing about the served policy. */
export const contests: Record<MarketName | 'steps', Readonly<Record<string, Policy>>> = {
  old: common,
  dense: common,
  sparse: { ...baselines, duet },
  steps,
}

export interface Life {
  outcome: Outcome
  byDay: number[]
}

export interface SeedLives {
  seed: number
  lives: Record<string, Life>
  /** How often the people liked in the burst are shown in the following week, without the burst and with it. */
  reach?: { without: number; after: number }
}

const dayOfBurst = 7

export function liveSeed(name: MarketName, seed: number, policies: Readonly<Record<string, Policy>>): SeedLives {
  const { people, days, effects, burst }: Market = markets[name]
  const drawn = drawWorld(seed, people[0], people[1])
  const world = effects === 'told' ? drawn : withComings(drawn, seed, days)
  const rules = { days, seed, effects }
  const lived = Object.entries(policies).map(([policy, pick]) => [policy, simulate(world, pick, rules)] as const)
  const lives = Object.fromEntries(
    lived.map(([policy, one]) => [policy, { outcome: outcomeOf(world, one, days), byDay: [...one.answeredByDay] }]),
  )
  const own = lived.find(([policy]) => policy === 'duet')?.[1]
  if (burst === 0 || !own) return { seed, lives }
  const after = simulate(world, duet, { ...rules, burst: { day: dayOfBurst, likes: burst } })
  const reach = (one: typeof own) => reachOf(world, one, after.burst, dayOfBurst, days)
  return { seed, lives, reach: { without: reach(own), after: reach(after) } }
}
