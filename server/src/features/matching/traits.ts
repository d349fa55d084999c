import { childrenWishes, diets, frequencies, intents } from '@duet/contract/limits.ts'

/** What matching may know of a person: nothing about origin, faith, looks or means. */
export interface Traits {
  id: string
  age: number
  /** Bits, at most one per group; none means no answer. See `traitBits` for the positions. */
  traits: number
  /** The traits that this person would rather avoid in others. */
  avoids: number
  /** One bit per language, in catalogue order. */
  languages: number
  /** Interests in catalogue order, 30 per mask. */
  interests: readonly [number, number]
  /** How often the person says yes, and is liked, in logits. */
  a: number
  b: number
  /** Answers to the questions, two bytes each: choice | importance << 4, then one bit for each accepted choice. */
  sheet?: Uint8Array | undefined
}

/** A person's statements, without how often they say yes and are liked. */
export type Stated = Omit<Traits, 'a' | 'b'>

/** A person who may be shown to the viewer. */
export interface Candidate extends Traits {
  /** The upper bound of their distance bucket, null if farther or unknown. */
  distanceKm: number | null
  /** Days since they were last active; a fixed number (`hiddenPresenceDays`) if they hide their presence. */
  daysInactive: number
  /** Their pending likes. */
  pending: number
  likesViewer: boolean
  /** They saw the viewer and passed. Treated as no if unknown. */
  passedViewer?: boolean
  /**
   * They like the viewer, but matched so often in the last day that they will hardly answer. Treated as no if unknown.
   */
  isBusy?: boolean
  isNew: boolean
  /** How often they were shown to anyone. */
  impressions: number
}

/** Where each group begins in `traits`. Intents use one bit per combination: 1 << (set of intents - 1). */
export const traitBits = { intents: 0, children: 15, smoking: 20, drinking: 23, diet: 26 } as const

const maskOf = (from: number, count: number) => ((1 << count) - 1) << from

/** Diets are shown and filtered by, but never learned from, because some reveal a faith. */
export const learnable = ~maskOf(traitBits.diet, diets.length)

const intentsMask = maskOf(traitBits.intents, 2 ** intents.length - 1)

/** The set of intents, one bit each in catalogue order; 0 means no answer. */
export const intentsOf = (traits: number): number => 32 - Math.clz32(traits & intentsMask)

const placeIn = (traits: number, from: number, count: number) => 31 - Math.clz32((traits >>> from) & ((1 << count) - 1))

/** Positions in the catalogue; -1 means no answer. */
export const childrenOf = (traits: number): number => placeIn(traits, traitBits.children, childrenWishes.length)
export const smokingOf = (traits: number): number => placeIn(traits, traitBits.smoking, frequencies.length)
export const drinkingOf = (traits: number): number => placeIn(traits, traitBits.drinking, frequencies.length)

export function countBits(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
