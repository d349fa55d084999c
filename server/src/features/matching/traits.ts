import { childrenWishes, diets, frequencies, intents } from '@duet/contract/limits.ts'

/** What matching may know about a person: nothing about origin, faith, looks or wealth. */
export interface Traits {
  id: string
  age: number
  /** Bits, at most one per group. A group without a bit means no answer. See `traitBits` for the positions. */
  traits: number
  avoids: number
  /** One bit per language, in catalogue order. */
  languages: number
  /** Interests in catalogue order, 30 per mask. */
  interests: readonly [number, number]
  /** How often the person likes others, and how often they are liked, in logits. */
  a: number
  b: number
  /** Answers to the questions, two bytes each: choice | importance << 4, then a mask of accepted choices. */
  sheet?: Uint8Array | undefined
}

export type Stated = Omit<Traits, 'a' | 'b'>

export interface Candidate extends Traits {
  /** The upper bound of their distance bucket in km; null if farther or unknown. */
  distanceKm: number | null
  /** Days since they were last active; `hiddenPresenceDays` if they hide their presence. */
  daysInactive: number
  pending: number
  likesViewer: boolean
  /** They passed on the viewer. Undefined counts as no. */
  passedViewer?: boolean
  /**
   * They like the viewer, but matched so often in the last day that they will hardly answer. Undefined counts as no.
   */
  isBusy?: boolean
  isNew: boolean
  impressions: number
}

/**
 * The position of each group's first bit in `traits`. Intents use one bit per combination: 1 << (set of intents - 1).
 */
export const traitBits = { intents: 0, children: 15, smoking: 20, drinking: 23, diet: 26 } as const

const maskOf = (from: number, count: number) => ((1 << count) - 1) << from

/** People can see and filter by diets, but ranking never learns from them, because some reveal a faith. */
export const learnable = ~maskOf(traitBits.diet, diets.length)

const intentsMask = maskOf(traitBits.intents, 2 ** intents.length - 1)

/** The set of intents, one bit each in catalogue order; 0 means no answer. */
export const intentsOf = (traits: number): number => 32 - Math.clz32(traits & intentsMask)

const placeIn = (traits: number, from: number, count: number) => 31 - Math.clz32((traits >>> from) & ((1 << count) - 1))

/** A position in the catalogue; -1 means no answer. */
export const childrenOf = (traits: number): number => placeIn(traits, traitBits.children, childrenWishes.length)
export const smokingOf = (traits: number): number => placeIn(traits, traitBits.smoking, frequencies.length)
export const drinkingOf = (traits: number): number => placeIn(traits, traitBits.drinking, frequencies.length)

export function countBits(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
