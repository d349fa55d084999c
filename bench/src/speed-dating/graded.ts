import { fitStack, matchProbability } from '../../../server/src/features/matching/combine.ts'
import { areaUnderCurve } from '../../../server/src/features/matching/metrics.ts'
import { fitRidge, logit, sigmoid } from '../../../server/src/features/matching/ridge.ts'
import { measureScale, type Scale, toScale } from '../../../server/src/features/matching/scale.ts'
import { type Case, type Choice, foretell } from './choose.ts'
import { scorecard } from './columns.ts'
import type { Pair } from './evenings.ts'

/** A person's average ratings over visible meetings, in points: those they gave and those they received. */
interface Card {
  gives: Float64Array
  gets: Float64Array
}

const qualities = scorecard.length
/** The weight of the prior, as a number of meetings. */
const shrinkage = 3

/**
 * Averages the ratings that each person gave and received. Received ratings are centred by rater. Both shrink towards 0
 * if there are few.
 */
function cardsOf(visible: readonly Pair[]): Map<number, Card> {
  const ratings = visible.flatMap(({ people, cards }) =>
    ([0, 1] as const).map((side) => ({
      rater: people[side].place,
      rated: people[side === 0 ? 1 : 0].place,
      points: cards[side],
    })),
  )
  const people = new Set(ratings.flatMap(({ rater, rated }) => [rater, rated]))
  const cards = new Map(
    [...people].map((place): [number, Card] => [
      place,
      { gives: new Float64Array(qualities), gets: new Float64Array(qualities) },
    ]),
  )
  for (let quality = 0; quality < qualities; quality++) {
    const known = ratings.filter(({ points }) => !Number.isNaN(points[quality]!))
    const usual = known.reduce((sum, { points }) => sum + points[quality]!, 0) / Math.max(1, known.length)
    const fill = (key: keyof Card, who: 'rater' | 'rated', value: (one: (typeof known)[number]) => number) => {
      const sums = new Map<number, { sum: number; count: number }>()
      for (const one of known) {
        const { sum, count } = sums.get(one[who]) ?? { sum: 0, count: 0 }
        sums.set(one[who], { sum: sum + value(one), count: count + 1 })
      }
      for (const [place, { sum, count }] of sums) cards.get(place)![key][quality] = sum / (count + shrinkage)
    }
    fill('gives', 'rater', ({ points }) => points[quality]! - usual)
    fill('gets', 'rated', ({ points, rater }) => points[quality]! - usual - cards.get(rater)!.gives[quality]!)
  }
  return cards
}

/** Inputs for one person's decision about another: logits of both binary models, and both people's cards. */
const columns = 4 + 4 * qualities

function rowsOf(cases: readonly Case[], prior: Choice['prior']): Float64Array {
  const both = foretell(cases, prior)
  const evenings = new Map<readonly Pair[], Map<number, Card>>()
  const nothing: Card = { gives: new Float64Array(qualities), gets: new Float64Array(qualities) }
  const rows = new Float64Array(cases.length * 2 * columns)
  for (const [place, { pair, visible }] of cases.entries()) {
    const cards = evenings.get(visible) ?? cardsOf(visible)
    evenings.set(visible, cards)
    const [man, woman] = pair.people.map((person) => cards.get(person.place) ?? nothing) as [Card, Card]
    const [there, back] = both[place]!.map(logit) as [number, number]
    rows.set([1, 1, there, back, ...woman.gets, ...man.gives, ...man.gets, ...woman.gives], place * 2 * columns)
    rows.set([1, -1, back, there, ...man.gets, ...woman.gives, ...woman.gets, ...man.gives], (place * 2 + 1) * columns)
  }
  return rows
}

interface Graded {
  scale: Scale
  weights: Float64Array
}

/** Scales all columns except the intercept and the decider's gender. */
function scaled(rows: Float64Array, scale: Scale): Float64Array {
  const to = toScale(rows, scale)
  for (let from = 0; from < rows.length; from += columns) to.set([rows[from]!, rows[from + 1]!], from)
  return to
}

function fit(cases: readonly Case[], prior: Choice['prior'], penalty: number): Graded {
  const rows = rowsOf(cases, prior)
  const scale = measureScale(rows, columns)
  const labels = cases.flatMap(({ pair }) => pair.said)
  const penalties = new Float64Array(columns).fill(penalty).fill(0, 0, 4)
  return { scale, weights: fitRidge({ rows: scaled(rows, scale), columns, labels }, penalties) }
}

function directions(cases: readonly Case[], prior: Choice['prior'], { scale, weights }: Graded): [number, number][] {
  const rows = scaled(rowsOf(cases, prior), scale)
  const at = (place: number) =>
    sigmoid(weights.reduce((sum, weight, column) => sum + weight * rows[place * columns + column]!, 0))
  return cases.map((_, place) => [at(place * 2), at(place * 2 + 1)])
}

const penalties = [30, 100, 300, 1000]

/**
 * Learns from held-out pairs of the training evenings what ratings of visible meetings add to the binary decisions.
 * Penalty and combination are chosen by cross-validation over `parts`, which are whole evenings. Returns a function
 * that gives the match probability of other cases.
 */
export function learnGraded(parts: readonly (readonly Case[])[], prior: Choice['prior']) {
  const cases = parts.flat()
  const matches = cases.map(({ pair }) => pair.match)
  const tried = penalties.map((penalty) => {
    const both = parts.flatMap((held) => {
      const others = parts.filter((part) => part !== held).flat()
      return directions(held, prior, fit(others, prior, penalty))
    })
    const stack = fitStack(
      both.map(([there]) => there),
      both.map(([, back]) => back),
      matches,
    )
    const scores = both.map(([there, back]) => matchProbability(stack, there, back))
    return { penalty, stack, area: areaUnderCurve(matches, scores) }
  })
  const { penalty, stack } = tried.reduce((best, one) => (one.area > best.area ? one : best))
  const graded = fit(cases, prior, penalty)
  return (others: readonly Case[]): number[] =>
    directions(others, prior, graded).map(([there, back]) => matchProbability(stack, there, back))
}
