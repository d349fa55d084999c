import { matchingConstants as constants } from './constants.ts'

/**
 * How far two people's answers agree. `asked` counts the questions both answered, `agreed` those where each accepts the
 * other's answer.
 */
export interface Agreement {
  /** From 0 to 1; 0.5 if nothing is known. */
  share: number
  agreed: number
  asked: number
}

const weights = [
  constants.irrelevantWeight,
  constants.littleWeight,
  constants.somewhatWeight,
  constants.veryWeight,
] as const

/** Whether the author of an answer accepts another person's `choice`. With importance 0, every choice is accepted. */
const accepts = (first: number, mask: number, choice: number) => first >> 4 === 0 || ((mask >> (choice - 1)) & 1) === 1

const shrunk = (met: number, weight: number) =>
  (met + constants.questionsPrior / 2) / (weight + constants.questionsPrior)

/**
 * How far two sheets agree, by OkCupid's published formula: for each person, the share of their importance weight that
 * the other's answers satisfy; the result is the geometric mean of both. Instead of OkCupid's margin of 1/n, a Beta
 * prior pulls each share towards one half, which matters for few questions and vanishes for many.
 */
export function agreementOf(one: Uint8Array, other: Uint8Array): Agreement {
  const end = Math.min(one.length, other.length) & ~1
  let asked = 0
  let agreed = 0
  let weightThere = 0
  let metThere = 0
  let weightBack = 0
  let metBack = 0
  for (let at = 0; at < end; at += 2) {
    const mine = one[at]!
    const theirs = other[at]!
    if ((mine & 7) === 0 || (theirs & 7) === 0) continue
    const there = accepts(mine, one[at + 1]!, theirs & 7)
    const back = accepts(theirs, other[at + 1]!, mine & 7)
    asked++
    if (there && back) agreed++
    const weight = weights[mine >> 4] ?? 0
    const weightOfOther = weights[theirs >> 4] ?? 0
    weightThere += weight
    weightBack += weightOfOther
    if (there) metThere += weight
    if (back) metBack += weightOfOther
  }
  return { share: Math.sqrt(shrunk(metThere, weightThere) * shrunk(metBack, weightBack)), agreed, asked }
}
