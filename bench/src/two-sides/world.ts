import { drawNormal, type Random, seededRandom } from '../../../server/src/features/matching/random.ts'
import { sigmoid } from '../../../server/src/features/matching/ridge.ts'

/** Somebody who lives in the simulated market. */
interface Inhabitant {
  says: number
  receives: number
  x: number
  y: number
  /** How likely they open the app on a day. */
  activity: number
  likes: number[]
  is: number[]
  /** What the engine believes wrongly of their two effects. */
  errors: readonly [says: number, receives: number]
}

/** One direction of the market: `truth` is how likely a row's person likes a column's, `belief` what the engine thinks. */
export interface World {
  /** 0 the men, 1 the women. */
  sides: readonly [Inhabitant[], Inhabitant[]]
  /** By side, then person * people of the other side + other. */
  truth: readonly [Float64Array, Float64Array]
  belief: readonly [Float64Array, Float64Array]
  km: Float64Array
}

const tastes = 4
const tasteWeight = 0.4
const kmPerLogit = 20
const errorOfBelief = 0.5

function draw(random: Random, says: number): Inhabitant {
  const normals = (count: number) => Array.from({ length: count }, () => drawNormal(random))
  return {
    says: says + Math.SQRT2 * drawNormal(random),
    receives: drawNormal(random),
    x: 10 * drawNormal(random),
    y: 10 * drawNormal(random),
    activity: [0.3, 0.6, 0.95][Math.floor(random() * 3)] ?? 0.6,
    likes: normals(tastes),
    is: normals(tastes),
    errors: [errorOfBelief * drawNormal(random), errorOfBelief * drawNormal(random)],
  }
}

/** How far one is to the taste of another, in as many of its parts as are `seen`. */
function taste(one: Inhabitant, other: Inhabitant, seen: number): number {
  let sum = 0
  for (let part = 0; part < seen; part++) sum += (one.likes[part] ?? 0) * (other.is[part] ?? 0)
  return tasteWeight * sum
}

/**
 * A market whose variances are those fitted on the speed-dating evenings (2 of saying yes, 1 of being said yes to),
 * with four private tastes, distance and chance. The engine sees both effects with errors, half of the tastes, and no
 * chance. Women say yes less often.
 */
export function drawWorld(seed: number, men: number, women: number): World {
  const random = seededRandom(seed)
  const sides = [
    Array.from({ length: men }, () => draw(random, -0.2)),
    Array.from({ length: women }, () => draw(random, -1.6)),
  ] as const
  const size = men * women
  const truth = [new Float64Array(size), new Float64Array(size)] as const
  const belief = [new Float64Array(size), new Float64Array(size)] as const
  const km = new Float64Array(size)
  for (const [man, he] of sides[0].entries())
    for (const [woman, she] of sides[1].entries()) {
      const pair = man * women + woman
      const distance = Math.hypot(he.x - she.x, he.y - she.y)
      km[pair] = distance
      for (const [side, [one, other]] of (
        [
          [he, she],
          [she, he],
        ] as const
      ).entries()) {
        const place = side === 0 ? pair : woman * men + man
        const far = -distance / kmPerLogit
        const z = one.says + other.receives + far
        truth[side]![place] = sigmoid(z + taste(one, other, tastes) + 0.5 * drawNormal(random))
        belief[side]![place] = sigmoid(z + one.errors[0] + other.errors[1] + taste(one, other, tastes / 2))
      }
    }
  return { sides: [...sides] as World['sides'], truth, belief, km }
}
