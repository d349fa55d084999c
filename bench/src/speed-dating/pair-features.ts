import { allowFeatures } from '../../../server/src/features/matching/features.ts'
import { interests, qualities } from './columns.ts'
import type { Dater, Pair } from './evenings.ts'

const goals = ['1', '2', '3', '4', '5', '6'] as const

const each = <const Name extends string, const Prefix extends string>(prefix: Prefix, names: readonly Name[]) =>
  names.map((name) => `${prefix}${name}` as const)

export const pairFeatures = allowFeatures([
  'interests.correlation',
  'interests.cosine',
  'interests.both_high',
  'age.difference',
  'age.gap',
  'age.gap_squared',
  'field.same',
  'field.same_career',
  'intents.same',
  'outings.dates_gap',
  'outings.goes_out_gap',
  'preferences.satisfied',
  'preferences.satisfied_back',
  ...each('preferences.wanted_and_said_', qualities),
  'age.target',
  'outings.target_dates',
  'outings.target_goes_out',
  'self.target_expects',
  ...each('self.target_', qualities),
  ...each('interests.target_', interests),
  'age.actor',
  'outings.actor_dates',
  'outings.actor_goes_out',
  'self.actor_expects',
  ...each('self.actor_', qualities),
  ...each('preferences.actor_', [...qualities, 'shar']),
  ...each('interests.actor_', interests),
  ...each('intents.actor_', goals),
  ...each('intents.target_', goals),
  ...each('interests.both_', interests),
])

export const same = (one: string, other: string) => (one === '' || other === '' ? Number.NaN : Number(one === other))

export function cosine(one: readonly number[], other: readonly number[]): number {
  let [product, left, right] = [0, 0, 0]
  for (const [place, value] of one.entries()) {
    const its = other[place] ?? Number.NaN
    product += value * its
    left += value * value
    right += its * its
  }
  return product / Math.sqrt(left * right)
}

/** How well the target's self-ratings meet the actor's stated preferences, from 0 to 1. */
export function satisfied(actor: Dater, target: Dater): number {
  const weights = qualities.map((_, place) => actor.wishes[place] ?? Number.NaN)
  const met = weights.reduce((sum, weight, place) => sum + (weight * (target.self[place] ?? Number.NaN)) / 10, 0)
  return met / weights.reduce((sum, weight) => sum + weight, 0)
}

const bothHigh = (one: Dater, other: Dater) =>
  one.interests.filter((value, place) => value >= 8 && (other.interests[place] ?? 0) >= 8).length

const goalOf = ({ goal }: Dater) => goals.map((one) => same(goal, one))

/**
 * The features of a decision by `actor` about `target`, in the order of `pairFeatures`. NaN where an answer is missing.
 */
export function featuresOf(actor: Dater, target: Dater, { interestCorrelation }: Pair): number[] {
  const gap = Math.abs(target.age - actor.age)
  return [
    interestCorrelation,
    cosine(actor.interests, target.interests),
    bothHigh(actor, target),
    target.age - actor.age,
    gap,
    gap ** 2,
    same(actor.field, target.field),
    same(actor.career, target.career),
    same(actor.goal, target.goal),
    Math.abs(actor.dates - target.dates),
    Math.abs(actor.goesOut - target.goesOut),
    satisfied(actor, target),
    satisfied(target, actor),
    ...qualities.map((_, place) => (actor.wishes[place] ?? Number.NaN) * (target.self[place] ?? Number.NaN)),
    ...[target.age, target.dates, target.goesOut, target.expects, ...target.self, ...target.interests],
    ...[actor.age, actor.dates, actor.goesOut, actor.expects, ...actor.self, ...actor.wishes, ...actor.interests],
    ...goalOf(actor),
    ...goalOf(target),
    ...actor.interests.map((value, place) => (value - 6) * ((target.interests[place] ?? Number.NaN) - 6)),
  ]
}
