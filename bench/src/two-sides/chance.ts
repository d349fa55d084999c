import { type Random, seededRandom } from '../../../server/src/platform/random.ts'

/**
 * What a random number is used for. Each use has its own stream, so that an extra draw in one doesn't change the
 * others.
 */
const streams = { visit: 1, order: 2, decision: 3, policy: 4, burst: 5 } as const
type Stream = keyof typeof streams

/** Mixes one more number into a 32-bit hash (the finaliser of MurmurHash3; Appleby, 2011). */
function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ (value + 0x9e3779b9), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function keyOf(seed: number, stream: Stream, keys: readonly number[]): number {
  return mix(keys.reduce(mix, mix(mix(0x2545f491, seed), streams[stream])), 0)
}

/**
 * A number from 0 to 1 (exclusive) that depends only on the keys. Two simulations with the same seed draw the same
 * number for the same visit or decision, whatever else differs between them (common random numbers; Kahn and Marshall,
 * 1953).
 */
export const chance = (seed: number, stream: Stream, ...keys: number[]): number => keyOf(seed, stream, keys) / 2 ** 32

/** A generator whose numbers depend only on the keys. */
export const randomFor = (seed: number, stream: Stream, ...keys: number[]): Random =>
  seededRandom(keyOf(seed, stream, keys))
