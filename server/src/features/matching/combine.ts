import { fitRidge, logit, sigmoid } from './ridge.ts'

/** How the two directions combine into the probability of a match. `stack` has the weights c0 to c3. */
export type Combine =
  | { kind: 'product' }
  | { kind: 'harmonic' }
  | { kind: 'stack'; weights: readonly [number, number, number, number] }

/**
 * The probability that two people like each other, from the probability of a like in each direction; symmetric. The
 * product assumes independence. The harmonic mean (Pizzato et al., RECON, 2010) leans towards the smaller probability;
 * squared, it equals the product if both are the same. The stack is a logistic regression on both logits and the
 * smaller one, and never exceeds either probability. A like that already exists has probability 1.
 */
export function matchProbability(combine: Combine, there: number, back: number): number {
  if (combine.kind === 'product') return there * back
  if (there === 1 || back === 1) return there * back
  if (combine.kind === 'harmonic') return there + back > 0 ? ((2 * there * back) / (there + back)) ** 2 : 0
  const [constant, first, second, smaller] = combine.weights
  const one = logit(there)
  const other = logit(back)
  const z = constant + ((first + second) / 2) * (one + other) + smaller * Math.min(one, other)
  return Math.min(sigmoid(z), there, back)
}

/**
 * Fits the weights of the stack to pairs with a known outcome: `there` and `back` are probabilities, `matches` is 1 or
 * 0.
 */
export function fitStack(there: ArrayLike<number>, back: ArrayLike<number>, matches: ArrayLike<number>): Combine {
  const rows = new Float64Array(matches.length * 3)
  for (let place = 0; place < matches.length; place++) {
    const one = logit(there[place] ?? 0.5)
    const other = logit(back[place] ?? 0.5)
    rows.set([1, one + other, Math.min(one, other)], place * 3)
  }
  const [constant = 0, both = 0, smaller = 0] = fitRidge({ rows, columns: 3, labels: matches }, [0, 5, 5])
  return { kind: 'stack', weights: [constant, both, both, smaller] }
}
