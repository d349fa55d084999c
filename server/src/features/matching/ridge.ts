export const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z))

export const logit = (probability: number): number => Math.log(probability / (1 - probability))

/** Training cases: `rows` has `columns` values per case, one case after another. */
export interface Cases {
  rows: Float64Array
  columns: number
  labels: ArrayLike<number>
  offsets?: ArrayLike<number>
}

/**
 * Solves `matrix · x = vector` in place by Cholesky decomposition; `matrix` must be symmetric and positive definite.
 */
export function solve(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length
  const at = (row: number, column: number) => matrix[row * size + column] as number
  for (let column = 0; column < size; column++) {
    for (let row = column; row < size; row++) {
      let sum = at(row, column)
      for (let inner = 0; inner < column; inner++) sum -= at(row, inner) * at(column, inner)
      matrix[row * size + column] = row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / at(column, column)
    }
  }
  for (let row = 0; row < size; row++) {
    for (let inner = 0; inner < row; inner++) vector[row]! -= at(row, inner) * vector[inner]!
    vector[row]! /= at(row, row)
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let inner = row + 1; inner < size; inner++) vector[row]! -= at(inner, row) * vector[inner]!
    vector[row]! /= at(row, row)
  }
  return vector
}

function logitOf({ rows, columns, offsets }: Cases, place: number, weights: Float64Array): number {
  let z = offsets?.[place] ?? 0
  for (let column = 0, from = place * columns; column < columns; column++) z += weights[column]! * rows[from + column]!
  return z
}

/** Only fills the lower half of the symmetric Hessian. */
function addCase(cases: Cases, place: number, weights: Float64Array, gradient: Float64Array, hessian: Float64Array) {
  const { rows, columns, labels } = cases
  const probability = sigmoid(logitOf(cases, place, weights))
  const residual = (labels[place] ?? 0) - probability
  const curvature = probability * (1 - probability)
  const from = place * columns
  for (let row = 0; row < columns; row++) {
    const value = rows[from + row]!
    if (value === 0) continue
    gradient[row]! += residual * value
    const weighted = curvature * value
    const to = row * columns
    for (let column = 0; column <= row; column++) hessian[to + column]! += weighted * rows[from + column]!
  }
}

/** The objective: the negative log likelihood plus half the penalised sum of squares. */
function cost(cases: Cases, penalties: ArrayLike<number>, weights: Float64Array): number {
  let sum = 0
  for (let place = 0; place < cases.labels.length; place++) {
    const z = logitOf(cases, place, weights)
    sum += (z > 0 ? z + Math.log1p(Math.exp(-z)) : Math.log1p(Math.exp(z))) - (cases.labels[place] ? z : 0)
  }
  for (let column = 0; column < weights.length; column++) sum += ((penalties[column] ?? 0) * weights[column]! ** 2) / 2
  return sum
}

function newtonStep(cases: Cases, penalties: ArrayLike<number>, weights: Float64Array): Float64Array {
  const { columns } = cases
  const gradient = new Float64Array(columns)
  const hessian = new Float64Array(columns * columns)
  for (let place = 0; place < cases.labels.length; place++) addCase(cases, place, weights, gradient, hessian)
  for (let column = 0; column < columns; column++) {
    gradient[column]! -= (penalties[column] ?? 0) * weights[column]!
    hessian[column * columns + column]! += (penalties[column] ?? 0) + 1e-9
  }
  return solve(hessian, gradient)
}

/**
 * Ridge logistic regression by Newton's method (iteratively reweighted least squares; le Cessie and van Houwelingen,
 * 1992). `penalties` has one value per column, 0 for an intercept. A step that increases the cost is halved, so
 * separable cases also converge if their columns are penalised. Starts at `start`.
 */
export function fitRidge(
  cases: Cases,
  penalties: ArrayLike<number>,
  steps = 25,
  start: Float64Array = new Float64Array(cases.columns),
): Float64Array {
  let weights = start
  let now = cost(cases, penalties, weights)
  for (let step = 0; step < steps; step++) {
    const direction = newtonStep(cases, penalties, weights)
    let share = 1
    let next = weights.map((weight, column) => weight + direction[column]!)
    let then = cost(cases, penalties, next)
    while (!(then <= now) && share > 1e-6) {
      share /= 2
      next = weights.map((weight, column) => weight + share * direction[column]!)
      then = cost(cases, penalties, next)
    }
    const gain = now - then
    if (!(gain >= 0)) break
    weights = next
    now = then
    if (gain < 1e-8 * (1 + Math.abs(now))) break
  }
  return weights
}
