import { createHash } from 'node:crypto'
import { foldedText } from '@duet/contract/folded-text.ts'

/** Shorter texts are similar by chance. Of longer texts, only the beginning is compared. */
const shortest = 20
const longest = 600
/** The length of each compared sequence, in characters. */
const width = 4

/** Normalises a text for comparison: only letters, one sign for every number, and no receiver's name. */
export function comparableText(text: string, name = ''): string {
  // biome-ignore lint/plugin/cut-text: this text is compared, not shown.
  const words = foldedText(text.slice(0, longest))
    .replace(/\d+/g, '0')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .split(' ')
  const names = new Set(foldedText(name).split(/[^\p{L}]+/u))
  return words.filter((word) => !names.has(word)).join(' ')
}

/**
 * A text's simhash (Charikar, STOC 2002) over runs of four characters: similar texts differ in few bits. Undefined for
 * short texts. Signed, as the database stores it.
 */
export function simhash(text: string, name?: string): bigint | undefined {
  const comparable = comparableText(text, name)
  if (comparable.length < shortest) return undefined
  const runs = new Set<string>()
  for (let at = 0; at + width <= comparable.length; at++) runs.add(comparable.slice(at, at + width))
  const weights = new Int32Array(64)
  for (const run of runs) {
    const hash = createHash('sha1').update(run).digest()
    for (let bit = 0; bit < 64; bit++) weights[bit]! += ((hash[bit >> 3]! >> (bit & 7)) & 1) * 2 - 1
  }
  let print = 0n
  for (const weight of weights) print = (print << 1n) | (weight > 0 ? 1n : 0n)
  return BigInt.asIntN(64, print)
}
