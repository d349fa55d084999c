import { sigmoid } from '../../../server/src/features/matching/ridge.ts'
import { drawBelow, drawNormal, type Random, seededRandom } from '../../../server/src/platform/random.ts'

interface Inhabitant {
  says: number
  receives: number
  x: number
  y: number
  activity: number
  likes: number[]
  is: number[]
  /** The errors in their two effects, if the engine is given these effects. */
  errors: readonly [says: number, receives: number]
  /** Their days in the market: from the first up to, but not including, the last. */
  here: readonly [from: number, until: number]
}

/**
 * A market. `truth` has the real probabilities of a like; `belief` and `features` are the engine's knowledge of them.
 */
export interface World {
  sides: readonly [Inhabitant[], Inhabitant[]]
  /** For each side, at index person * people of the other side + other. */
  truth: readonly [Float64Array, Float64Array]
  /** Probabilities that use the two effects as given to an engine, and logits from features alone. */
  belief: readonly [Float64Array, Float64Array]
  features: readonly [Float64Array, Float64Array]
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
    here: [0, Number.POSITIVE_INFINITY],
  }
}

/** How well one person suits another's taste, counting its first `seen` dimensions. */
function taste(one: Inhabitant, other: Inhabitant, seen: number): number {
  let sum = 0
  for (let part = 0; part < seen; part++) sum += (one.likes[part] ?? 0) * (other.is[part] ?? 0)
  return tasteWeight * sum
}

/**
 * Draws a market with the variances fitted on the speed-dating evenings (2 for liking, 1 for being liked), four private
 * dimensions of taste, distance and noise. The engine knows both effects with errors, half of the tastes and no noise.
 * Women say yes less often.
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
  const features = [new Float64Array(size), new Float64Array(size)] as const
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
        features[side]![place] = far + taste(one, other, tastes / 2)
        belief[side]![place] = sigmoid(
          one.says + other.receives + one.errors[0] + other.errors[1] + features[side]![place]!,
        )
      }
    }
  return { sides: [...sides] as World['sides'], truth, belief, features, km }
}

/** The share of people who are in the market on the first day. The others arrive later, and as many leave. */
const hereFromTheStart = 0.5

/** The same people with turnover: every day a share of those present leaves and as many arrive. */
export function withComings(world: World, seed: number, days: number): World {
  const random = seededRandom(seed * 7 + 3)
  const leaving = (1 - hereFromTheStart) / hereFromTheStart / (days - 1)
  const coming = (person: Inhabitant): Inhabitant => {
    const from = random() < hereFromTheStart ? 0 : 1 + drawBelow(random, days - 1)
    const stay = 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - leaving))
    return { ...person, here: [from, from + stay] }
  }
  return { ...world, sides: [world.sides[0].map(coming), world.sides[1].map(coming)] }
}
