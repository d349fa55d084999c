import { childrenWishes, diets, frequencies, intents } from '@duet/contract/limits.ts'

/** What matching may know of a person. There is nothing here about origin, faith, looks or means. */
export interface Traits {
  id: string
  age: number
  /** Bits, one of each group at most; none is not said. Where they are: `traitBits`. */
  traits: number
  /** Bits of others this person would rather not have. */
  avoids: number
  /** A bit for each language, in the order of the catalogue. */
  languages: number
  /** The interests in the order of the catalogue, 30 in each mask. */
  interests: readonly [number, number]
  /** How often the person says yes, and is said yes to, in logits. */
  a: number
  b: number
  /** Answers to the questions, two bytes each: choice | importance << 4, then a bit for each choice they accept. */
  sheet?: Uint8Array | undefined
}

/** All of it but how often someone says yes and is said yes to. */
export type Stated = Omit<Traits, 'a' | 'b'>

/** A person who may be shown to the viewer. */
export interface Candidate extends Traits {
  /** Upper bound of the bucket of their distance, null beyond or unknown. */
  distanceKm: number | null
  /** Days since they were here last; some of them by rule (`hiddenPresenceDays`) where they keep that to themselves. */
  daysInactive: number
  /** Likes that wait for their answer. */
  pending: number
  likesViewer: boolean
  /** They saw the viewer and passed. Not known is taken as no. */
  passedViewer?: boolean
  /** They like the viewer, and have matched so often in the last day that they will hardly answer. Not known is taken as no. */
  isBusy?: boolean
  isNew: boolean
  /** How often they were shown, to any viewer. */
  impressions: number
}

/** Where each group begins in `traits`. Intents take one bit for each combination: 1 << (set of intents - 1). */
export const traitBits = { intents: 0, children: 15, smoking: 20, drinking: 23, diet: 26 } as const

const maskOf = (from: number, count: number) => ((1 << count) - 1) << from

/** Diets are shown and filtered by, and never learned from: some are a faith's. */
export const learnable = ~maskOf(traitBits.diet, diets.length)

const intentsMask = maskOf(traitBits.intents, 2 ** intents.length - 1)

/** The set of intents, one bit each in the order of the catalogue; 0 is not said. */
export const intentsOf = (traits: number): number => 32 - Math.clz32(traits & intentsMask)

const placeIn = (traits: number, from: number, count: number) => 31 - Math.clz32((traits >>> from) & ((1 << count) - 1))

/** Places in the catalogue; -1 is not said. */
export const childrenOf = (traits: number): number => placeIn(traits, traitBits.children, childrenWishes.length)
export const smokingOf = (traits: number): number => placeIn(traits, traitBits.smoking, frequencies.length)
export const drinkingOf = (traits: number): number => placeIn(traits, traitBits.drinking, frequencies.length)

/** How many bits are set. */
export function countBits(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
