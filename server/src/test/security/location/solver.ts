import { metresBetween, type Point } from './plane.ts'

interface Range {
  from: Point
  metres: number
}

/** One Gauss-Newton step towards the point that fits the ranges. */
function improve(point: Point, ranges: readonly Range[]): { point: Point; moved: number } | undefined {
  let [a, b, c, g, h] = [1e-9, 0, 1e-9, 0, 0]
  for (const { from, metres } of ranges) {
    const distance = Math.max(1e-6, metresBetween(point, from))
    const [ux, uy, rest] = [(point.x - from.x) / distance, (point.y - from.y) / distance, distance - metres]
    a += ux * ux
    b += ux * uy
    c += uy * uy
    g += ux * rest
    h += uy * rest
  }
  const determinant = a * c - b * b
  if (Math.abs(determinant) < 1e-12) return undefined
  const [dx, dy] = [(c * g - b * h) / determinant, (a * h - b * g) / determinant]
  return { point: { x: point.x - dx, y: point.y - dy }, moved: Math.hypot(dx, dy) }
}

/** The point that best fits the ranges, starting from several points. */
export function pointOf(ranges: readonly Range[], random: () => number): Point {
  let best = { point: { x: 0, y: 0 }, rest: Number.POSITIVE_INFINITY }
  for (let start = 0; start < 12; start++) {
    let point = start === 0 ? { x: 0, y: 0 } : { x: (random() - 0.5) * 12_000, y: (random() - 0.5) * 12_000 }
    for (let step = 0; step < 60; step++) {
      const next = improve(point, ranges)
      if (!next) break
      point = next.point
      if (next.moved < 1e-3) break
    }
    const rest = ranges.reduce((sum, { from, metres }) => sum + (metresBetween(point, from) - metres) ** 2, 0)
    if (rest < best.rest) best = { point, rest }
  }
  return best.point
}

function solve(matrix: Float64Array[]): number[] | undefined {
  const size = matrix.length
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let row = column; row < size; row++) {
      if (Math.abs(matrix[row]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = row
    }
    ;[matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!]
    if (Math.abs(matrix[column]![column]!) < 1e-9) return undefined
    for (let row = 0; row < size; row++) {
      if (row === column) continue
      const factor = matrix[row]![column]! / matrix[column]![column]!
      for (let at = column; at <= size; at++) matrix[row]![at]! -= factor * matrix[column]![at]!
    }
  }
  return matrix.map((row, at) => row[size]! / row[at]!)
}

/** The common centre of circles, each given by points on it, by least squares: |p|² = 2p·c + k for each circle. */
export function centreOfCircles(circles: readonly Point[][]): Point | undefined {
  const size = 2 + circles.length
  const matrix = Array.from({ length: size }, () => new Float64Array(size + 1))
  for (const [circle, points] of circles.entries()) {
    for (const { x, y } of points) {
      const row = new Float64Array(size)
      row.set([2 * x, 2 * y])
      row[2 + circle] = 1
      const square = x ** 2 + y ** 2
      for (let a = 0; a < size; a++) {
        for (let b = 0; b < size; b++) matrix[a]![b]! += row[a]! * row[b]!
        matrix[a]![size]! += row[a]! * square
      }
    }
  }
  const [x, y] = solve(matrix) ?? []
  return x === undefined || y === undefined ? undefined : { x, y }
}
