import type { Oracle } from './oracle.ts'
import type { Point } from './plane.ts'
import { centreOfCircles, pointOf } from './solver.ts'

export type Attacker = (oracle: Oracle, random: () => number) => Point

const far = 100_000
const finite = (metres: number) => (Number.isFinite(metres) ? metres : far)
const onCircle = (count: number, radius: number): Point[] =>
  Array.from({ length: count }, (_, n) => ({
    x: radius * Math.cos((2 * Math.PI * n) / count),
    y: radius * Math.sin((2 * Math.PI * n) / count),
  }))

/** Queries the distance from eight places around the victim, `times` times each. */
const trilateration =
  (times: number): Attacker =>
  ({ distance }, random) =>
    pointOf(
      onCircle(8, 6_000).map((from) => {
        let sum = 0
        for (let n = 0; n < times; n++) sum += finite(distance(from))
        return { from, metres: sum / times }
      }),
      random,
    )

/** Finds the point between two others, to a metre, at which the answer changes. */
function edge(answer: (at: Point) => unknown, from: Point, to: Point): Point {
  const first = answer(from)
  let [low, high] = [0, 1]
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const at = (part: number) => ({ x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) })
  while ((high - low) * length > 1) {
    const middle = (low + high) / 2
    if (answer(at(middle)) === first) low = middle
    else high = middle
  }
  return at((low + high) / 2)
}

/**
 * Moves along lines and records where the displayed distance changes: those points lie on circles around the victim.
 */
const flips: Attacker = ({ distance }) => {
  const circles = new Map<string, Point[]>()
  const lines = Array.from({ length: 10 }, (_, n) => -9_000 + n * 2_000)
  const walks = lines.flatMap((y) => [(t: number) => ({ x: t, y }), (t: number) => ({ x: y, y: t })])
  for (const walk of walks) {
    for (let t = -13_000; t <= 14_000; t += 1_000) {
      const [from, to] = [walk(t - 1_000), walk(t)]
      const [before, after] = [distance(from), distance(to)]
      if (before === after) continue
      const key = [before, after].sort((a, b) => a - b).join()
      circles.set(key, [...(circles.get(key) ?? []), edge(distance, from, to)])
    }
  }
  const known = [...circles.values()].filter((points) => points.length >= 3).slice(0, 12)
  return (known.length > 0 && centreOfCircles(known)) || { x: 0, y: 0 }
}

const anchors: readonly Point[] = [
  { x: -9_000, y: -9_000 },
  { x: 9_000, y: -9_000 },
  { x: 0, y: 11_000 },
]
const longest = 22_000

/** Finds the distance at which the answer changes, by bisection. */
function halve(isBeyond: (metres: number) => boolean): number {
  let [low, high] = [0, longest]
  while (high - low > 1) {
    const middle = (low + high) / 2
    if (isBeyond(middle)) high = middle
    else low = middle
  }
  return (low + high) / 2
}

const eastOf = ({ x, y }: Point, metres: number): Point => ({ x: x + metres, y })

/** Moves one of the attacker's own accounts away until the victim is listed before it. */
const order: Attacker = ({ isBefore }, random) =>
  pointOf(
    anchors.map((from) => ({ from, metres: halve((metres) => isBefore(from, eastOf(from, metres))) })),
    random,
  )

export const filterPlaces: readonly Point[] = [...anchors, ...onCircle(8, 6_000)]

/** The smallest distance filter that still shows the victim; to a metre, if any radius is allowed. */
function narrowest({ isWithin, radii }: Oracle, from: Point): number {
  if (!radii) return halve((metres) => isWithin(from, metres))
  const first = radii.findIndex((radius) => isWithin(from, radius))
  return first < 0 ? far : ((radii[first] ?? far) + (radii[first - 1] ?? 0)) / 2
}

/** Reduces the distance filter from several places until the victim disappears. */
const radius: Attacker = (oracle, random) =>
  pointOf(
    filterPlaces.map((from) => ({ from, metres: narrowest(oracle, from) })),
    random,
  )

export const attackers = { trilateration: trilateration(1), averaging: trilateration(200), flips, order, radius }

/** The positions of the accounts that `order` needs: how far east of which anchor. */
export const sybilRays = { anchors, longest, eastOf }
