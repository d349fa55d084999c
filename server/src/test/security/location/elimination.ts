import type { Attacker } from './attackers.ts'
import type { Oracle } from './oracle.ts'
import type { Point } from './plane.ts'

interface Group {
  place: string | Point
  points: number
  x: number
  y: number
}

/**
 * Metres between candidate positions, and how far they extend: beyond the cells of all people, even the coarse ones.
 */
const grid = { step: 100, reach: 13_500 }
const groupsByCity = new WeakMap<object, Group[]>()

function groupsOf({ scheme }: Oracle): Group[] {
  const known = groupsByCity.get(scheme)
  if (known) return known
  const groups = new Map<string | Point, Group>()
  for (let x = -grid.reach; x <= grid.reach; x += grid.step) {
    for (let y = -grid.reach; y <= grid.reach; y += grid.step) {
      const place = scheme.placeOf({ x, y })
      const group = groups.get(place) ?? { place, points: 0, x: 0, y: 0 }
      group.points += 1
      group.x += x
      group.y += y
      groups.set(place, group)
    }
  }
  const made = [...groups.values()]
  groupsByCity.set(scheme, made)
  return made
}

function centroid(groups: readonly Group[], weights?: readonly number[]): Point {
  let [sum, x, y] = [0, 0, 0]
  for (const [n, group] of groups.entries()) {
    const weight = weights?.[n] ?? 1
    sum += weight * group.points
    x += weight * group.x
    y += weight * group.y
  }
  return sum > 0 ? { x: x / sum, y: y / sum } : { x: 0, y: 0 }
}

/** A grid of points, one per kilometre, up to 14 km from the centre. */
const everywhere = Array.from({ length: 29 * 29 }, (_, n) => ({
  x: -14_000 + 1_000 * (n % 29),
  y: -14_000 + 1_000 * Math.floor(n / 29),
}))

/**
 * The area (km²) and centre of the positions that an attacker can't rule out who knows the scheme and queries from
 * everywhere.
 */
export function eliminate(oracle: Oracle): { km2: number; point: Point } {
  const { scheme, distance } = oracle
  let left = groupsOf(oracle)
  for (const at of everywhere) {
    const [answer, place] = [distance(at), scheme.placeOf(at)]
    const fitting = left.filter((group) => scheme.shown(place, group.place) === answer)
    if (fitting.length > 0) left = fitting
  }
  const points = left.reduce((sum, group) => sum + group.points, 0)
  return { km2: (points * grid.step ** 2) / 1e6, point: centroid(left) }
}

/** The assumed probability of an answer that contradicts the scheme. */
const doubt = 0.02
/** Candidates below this probability are dropped. */
const hopeless = 1e-9

/** Weights candidates by the answers at 400 places without relying on any single one; returns their weighted mean. */
const bayes: Attacker = (oracle, random) => {
  const { scheme, distance } = oracle
  let left = groupsOf(oracle).map((group) => ({ group, weight: 1 }))
  for (let n = 0; n < 400; n++) {
    const at = { x: (random() - 0.5) * 28_000, y: (random() - 0.5) * 28_000 }
    const [answer, place] = [distance(at), scheme.placeOf(at)]
    let most = 0
    for (const one of left) {
      if (scheme.shown(place, one.group.place) !== answer) one.weight *= doubt
      most = Math.max(most, one.weight)
    }
    for (const one of left) one.weight /= most
    left = left.filter(({ weight }) => weight > hopeless)
  }
  return centroid(
    left.map(({ group }) => group),
    left.map(({ weight }) => weight),
  )
}

export const knowing: Record<'elimination' | 'bayes', Attacker> = {
  elimination: (oracle) => eliminate(oracle).point,
  bayes,
}
