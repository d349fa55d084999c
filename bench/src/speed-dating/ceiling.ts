import { matchingConstants as constants } from '../../../server/src/features/matching/constants.ts'
import { fitEffects } from '../../../server/src/features/matching/effects.ts'
import { areaUnderCurve } from '../../../server/src/features/matching/metrics.ts'
import { sigmoid } from '../../../server/src/features/matching/ridge.ts'
import { drawNormal, type Random, seededRandom } from '../../../server/src/platform/random.ts'
import type { Evenings, Pair } from './evenings.ts'
import { mask, type Regime } from './protocol.ts'

/**
 * The AUC of a mutual yes on simulated evenings, in which decisions depend only on two numbers per person and noise.
 */
export interface Ceiling {
  /** If everyone's two numbers are known exactly. */
  known: number
  /** If both numbers are estimated from the visible pairs under the correct prior. */
  estimated: number
}

interface Person {
  says: number
  receives: number
}

function drawPeople(pairs: readonly Pair[], random: Random): Map<number, Person> {
  const places = new Set(pairs.flatMap(({ people }) => people.map(({ place }) => place)))
  const person = (): Person => ({
    says: Math.sqrt(constants.saysVariance) * drawNormal(random),
    receives: Math.sqrt(constants.receivesVariance) * drawNormal(random),
  })
  return new Map([...places].map((place) => [place, person()]))
}

const logitsUnder = (people: ReadonlyMap<number, Person>, intercept: number) => (pair: Pair) => {
  const [man, woman] = pair.people.map(({ place }) => people.get(place)!) as [Person, Person]
  return [intercept + man.says + woman.receives, intercept + woman.says + man.receives] as const
}

/** The intercept that reproduces the observed share of yeses. */
function interceptFor(pairs: readonly Pair[], people: ReadonlyMap<number, Person>): number {
  const observed = pairs.reduce((sum, { said }) => sum + said[0] + said[1], 0) / (2 * pairs.length)
  const mean = (intercept: number) => {
    const logits = logitsUnder(people, intercept)
    return pairs.reduce((sum, pair) => sum + logits(pair).reduce((two, z) => two + sigmoid(z), 0), 0) / 2 / pairs.length
  }
  let [low, high] = [-6, 6]
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    if (mean(middle) < observed) low = middle
    else high = middle
  }
  return low
}

/** Scores one evening's hidden pairs from the two numbers of each person, exact and estimated. */
function scoresOf(
  visible: readonly Pair[],
  hidden: readonly Pair[],
  logits: ReturnType<typeof logitsUnder>,
  at: number,
) {
  const places = new Map<number, number>()
  for (const { people } of [...visible, ...hidden])
    for (const { place } of people) places.set(place, places.get(place) ?? places.size)
  const both = visible.map(({ people }) => people.map(({ place }) => places.get(place)!) as [number, number])
  const prior = { says: constants.saysVariance, receives: constants.receivesVariance, covariance: 0 }
  const { intercept, says, receives } = fitEffects(
    {
      people: places.size,
      actors: Int32Array.from(both.flat()),
      targets: Int32Array.from(both.flatMap(([man, woman]) => [woman, man])),
      labels: visible.flatMap(({ said }) => said),
    },
    { ...prior, intercept: at, interceptVariance: 1e-6 },
  )
  return hidden.map((pair) => {
    const [man, woman] = pair.people.map(({ place }) => places.get(place)!) as [number, number]
    const [there, back] = logits(pair)
    return {
      match: pair.match,
      known: sigmoid(there) * sigmoid(back),
      estimated:
        sigmoid(intercept + says[man]! + receives[woman]!) * sigmoid(intercept + says[woman]! + receives[man]!),
    }
  })
}

/** Simulates the same evenings `times` times, each time with new random people. Returns mean AUCs. */
export function simulateCeiling({ pairs, waves }: Evenings, regime: Regime, times = 20): Ceiling {
  const areas = Array.from({ length: times }, (_, time) => {
    const random = seededRandom(900 + time)
    const people = drawPeople(pairs, random)
    const intercept = interceptFor(pairs, people)
    const logits = logitsUnder(people, intercept)
    const drawn = pairs.map((pair): Pair => {
      const said = logits(pair).map((z) => Number(random() < sigmoid(z))) as [number, number]
      return { ...pair, said, match: said[0] * said[1] }
    })
    const scores = waves.flatMap((wave) => {
      const { visible, hidden } = mask(drawn, wave, regime, time + 1)
      return scoresOf(visible, hidden, logits, intercept)
    })
    const area = (key: keyof Ceiling) =>
      areaUnderCurve(
        scores.map(({ match }) => match),
        scores.map((one) => one[key]),
      )
    return { known: area('known'), estimated: area('estimated') }
  })
  const mean = (key: keyof Ceiling) => areas.reduce((sum, one) => sum + one[key], 0) / times
  return { known: mean('known'), estimated: mean('estimated') }
}
