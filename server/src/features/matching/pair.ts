import { agreementOf } from './agreement.ts'
import { allowFeatures } from './features.ts'
import { childrenOf, countBits, drinkingOf, intentsOf, learnable, type Stated, smokingOf } from './traits.ts'

/** In the order of a row's columns. */
export const productFeatures = allowFeatures([
  'age.gap',
  'age.gap_squared',
  'distance.log',
  'interests.shared',
  'intents.overlap',
  'facts.children',
  'facts.smoking',
  'facts.drinking',
  'languages.shared',
  'questions.agreement',
  'preferences.unmet',
])

export const unmetPlace = productFeatures.length - 1

const farKm = 200
const unmetMost = 4

// How compatible two wishes about children are, in catalogue order: has some, has and wants more, wants, open, doesn't
// want.
const childrenAgreement = Float64Array.of(
  ...[1, 0.5, -0.5, 0.5, -0.5],
  ...[0.5, 1, 0.75, 0.5, -1],
  ...[-0.5, 0.75, 1, 0.5, -1],
  ...[0.5, 0.5, 0.5, 1, 0],
  ...[-0.5, -1, -1, 0, 1],
)
const wishes = 5

const children = (one: number, other: number) => (one < 0 || other < 0 ? 0 : childrenAgreement[one * wishes + other]!)

/** 1 for the same habit, 0 for neighbouring ones or an unknown one, -1 for opposites. */
const habit = (one: number, other: number) => (one < 0 || other < 0 ? 0 : 1 - Math.abs(one - other))

function intentOverlap(one: number, other: number): number {
  const mine = intentsOf(one)
  const theirs = intentsOf(other)
  return mine === 0 || theirs === 0 ? 0 : countBits(mine & theirs) / countBits(mine | theirs)
}

const sharedLanguage = (one: number, other: number) => (one === 0 || other === 0 ? 0 : (one & other) === 0 ? -1 : 1)

/** Sums the rarity of the shared interests, because sharing a rare interest means more than sharing a common one. */
export function sharedInterestRarity(
  one: Stated['interests'],
  other: Stated['interests'],
  rarity: ArrayLike<number>,
): number {
  let sum = 0
  for (let half = 0; half < 2; half++)
    for (let mask = one[half]! & other[half]!; mask !== 0; mask &= mask - 1)
      sum += rarity[half * 30 + 31 - Math.clz32(mask & -mask)] ?? 0
  return sum
}

/** How many of `other`'s facts `one` would rather avoid, not counting facts that must not be learned from. */
export const unmet = (one: Stated, other: Stated): number =>
  Math.min(unmetMost, countBits(one.avoids & other.traits & learnable))

/** How similar two people's answers are, from -1 to 1; 0 if either has none. */
export const questionAgreement = (one: Stated, other: Stated): number =>
  one.sheet && other.sheet ? 2 * agreementOf(one.sheet, other.sheet).share - 1 : 0

/**
 * Writes the features of `one` deciding about `other` into `row`. Only the last value depends on the direction.
 * `rarity` is ln(1 / share of people) for each interest.
 */
export function fillRow(
  row: Float64Array,
  one: Stated,
  other: Stated,
  distanceKm: number | null,
  rarity: ArrayLike<number>,
): void {
  const gap = Math.abs(one.age - other.age) / 10
  row[0] = gap
  row[1] = gap * gap
  row[2] = Math.log1p(distanceKm ?? farKm) / Math.log1p(farKm)
  row[3] = Math.log1p(sharedInterestRarity(one.interests, other.interests, rarity))
  row[4] = intentOverlap(one.traits, other.traits)
  row[5] = children(childrenOf(one.traits), childrenOf(other.traits))
  row[6] = habit(smokingOf(one.traits), smokingOf(other.traits))
  row[7] = habit(drinkingOf(one.traits), drinkingOf(other.traits))
  row[8] = sharedLanguage(one.languages, other.languages)
  row[9] = questionAgreement(one, other)
  row[unmetPlace] = unmet(one, other)
}
