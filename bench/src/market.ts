import { parseArgs } from 'node:util'
import { matchingConstants } from '../../server/src/features/matching/constants.ts'
import { report } from './report.ts'
import { type Outcome, type Policy, simulate } from './two-sides/days.ts'
import { baselines, duet } from './two-sides/policies.ts'
import { drawWorld, type World } from './two-sides/world.ts'

// M3: two weeks of a market of 900 men and 600 women, under the product's rank and deck, and under what others do.
const { values } = parseArgs({ options: { seeds: { type: 'string', default: '3' }, choose: { type: 'boolean' } } })
const [men, women, days] = [900, 600, 14]

/** Other seeds than those reported: the congestion weight is chosen on these (`--choose` prints them all). */
const seedsOfChoosing = [101, 102]
const weights = [0, 0.5, 1, 1.5, 2, 3]

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length

function show(values: readonly number[], digits: number): string {
  const middle = mean(values)
  const spread = Math.sqrt(values.reduce((sum, one) => sum + (one - middle) ** 2, 0) / Math.max(1, values.length - 1))
  return `${middle.toFixed(digits)}±${spread.toFixed(digits)}`
}

function printRow(name: string, outcomes: readonly Outcome[]): void {
  const of = (key: keyof Outcome, digits: number) =>
    show(
      outcomes.map((one) => one[key]),
      digits,
    )
  const shares = `${of('menAnswered', 2)}/${of('womenAnswered', 2)}`
  const ginis = `${of('giniMen', 2)}/${of('giniWomen', 2)}`
  console.log([name.padEnd(34), of('matches', 0), of('answered', 0), ginis, shares].join(' | '))
}

function printTable(worlds: readonly { world: World; seed: number }[], policies: Record<string, Policy>) {
  console.log('policy | matches | answered | Gini of exposure, men/women | with an answered match, men/women')
  return Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => {
      const outcomes = worlds.map(({ world, seed }) => simulate(world, policy, days, seed))
      printRow(name, outcomes)
      return [name, outcomes]
    }),
  )
}

const worldsOf = (seeds: readonly number[]) => seeds.map((seed) => ({ seed, world: drawWorld(seed, men, women) }))

if (values.choose) {
  const tried = weights.map((weight) => [`congestion weight ${weight}`, duet(weight)] as const)
  printTable(worldsOf(seedsOfChoosing), Object.fromEntries(tried))
} else {
  const seeds = Array.from({ length: Number(values.seeds) }, (_, place) => place + 1)
  const { duet: outcomes = [] } = printTable(worldsOf(seeds), { ...baselines, duet: duet() })
  const of = (key: keyof Outcome) => mean(outcomes.map((one) => one[key]))
  const note = `${men} x ${women}, ${days} days, ${seeds.length} seeds, congestion weight ${matchingConstants.congestionWeight}`
  const two = (value: number) => Math.round(value * 1000) / 1000
  report('market', [
    { id: 'M3.answered', value: Math.round(of('answered')), target: '>= 5600', note },
    { id: 'M3.gini_men', value: two(of('giniMen')), target: '<= 0.56', note },
    { id: 'M3.gini_women', value: two(of('giniWomen')), target: '<= 0.56', note },
    { id: 'M3.men_with_answer', value: two(of('menAnswered')), target: '>= 0.8', note },
  ])
}
