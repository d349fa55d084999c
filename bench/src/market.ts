import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawBelow, seededRandom } from '../../server/src/platform/random.ts'
import { report } from '../../tools/report.ts'
import { type Life, type MarketName, markets, type SeedLives } from './two-sides/markets.ts'
import type { Outcome } from './two-sides/outcomes.ts'

// M3 and M5: simulated markets under the product's rank and deck, and under common alternatives.
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    choose: { type: 'boolean' },
    in: { type: 'string', default: 'old,dense,sparse' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})

/** Separate seeds for tuning (`--choose` prints the steps) and for reporting. */
const seedsFrom = (first: number, count: number) =>
  Array.from({ length: Number(values.seeds ?? count) }, (_, place) => first + place)
const seedsOfChoosing = seedsFrom(101, 10)
const seedsReported = seedsFrom(201, 20)

const program = fileURLToPath(new URL('two-sides/market.process.ts', import.meta.url))

function simulateSeeds(name: MarketName, seeds: readonly number[], contest: string): Promise<SeedLives[]> {
  const lives: SeedLives[] = []
  const child = fork(program, [name, seeds.join(','), contest])
  child.on('message', (one) => lives.push(one as SeedLives))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve(lives) : reject(new Error(`market.process.ts ended with ${code}`)),
    )
  })
}

async function simulateAll(name: MarketName, seeds: readonly number[], contest: string): Promise<SeedLives[]> {
  const processes = Math.min(seeds.length, Number(values.processes))
  const parts = Array.from({ length: processes }, (_, part) => seeds.filter((_, at) => at % processes === part))
  const lives = (await Promise.all(parts.map((part) => simulateSeeds(name, part, contest)))).flat()
  return lives.sort((one, other) => one.seed - other.seed)
}

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length

function show(list: readonly number[], digits: number): string {
  const middle = mean(list)
  const spread = Math.sqrt(list.reduce((sum, one) => sum + (one - middle) ** 2, 0) / Math.max(1, list.length - 1))
  return `${middle.toFixed(digits)}±${spread.toFixed(digits)}`
}

const livesOf = (seeds: readonly SeedLives[], policy: string): Life[] => seeds.map(({ lives }) => lives[policy]!)

function printTable(name: MarketName, seeds: readonly SeedLives[]): void {
  console.log(`\n${name}: ${markets[name].title}; ${seeds.length} seeds`)
  console.log(
    'policy | matches | answered | answered more than by the first, paired | Gini of being shown, men/women | with an answered match, men/women | answered at p10 | newcomers shown over their share',
  )
  const policies = Object.keys(seeds[0]?.lives ?? {})
  const first = livesOf(seeds, policies[0] ?? '')
  for (const policy of policies) {
    const lives = livesOf(seeds, policy)
    const of = (key: keyof Outcome, digits: number) =>
      show(
        lives.map(({ outcome }) => outcome[key]),
        digits,
      )
    const gains = lives.map(({ outcome }, place) => outcome.answered - first[place]!.outcome.answered)
    const columns = [
      of('matches', 0),
      of('answered', 0),
      show(gains, 0),
      `${of('giniMen', 3)}/${of('giniWomen', 3)}`,
      `${of('menAnswered', 2)}/${of('womenAnswered', 2)}`,
      of('tenthAnswered', 2),
      of('newcomerShare', 2),
    ]
    console.log([policy.padEnd(40), ...columns].join(' | '))
  }
}

function printCurve(seeds: readonly SeedLives[]): void {
  console.log('answered on each day')
  for (const policy of ['distance only', 'duet']) {
    const lives = livesOf(seeds, policy)
    const days = lives[0]!.byDay.map((_, day) => mean(lives.map(({ byDay }) => byDay[day]!)).toFixed(1))
    console.log(`  ${policy}: ${days.join(' ')}`)
  }
}

/** A ratio of means over seeds, with a 95% interval from resampling the seeds. */
function ratio(above: readonly number[], below: readonly number[]) {
  const random = seededRandom(11)
  const of = (places: readonly number[]) => mean(places.map((at) => above[at]!)) / mean(places.map((at) => below[at]!))
  const drawn = Array.from({ length: 1000 }, () => of(above.map(() => drawBelow(random, above.length))))
  drawn.sort((one, other) => one - other)
  return { value: of([...above.keys()]), interval: [drawn[25]!, drawn[974]!] as const }
}

/** By what share mass likes from one account reduce how often the liked people are shown in the following week. */
function spammerEffect(seeds: readonly SeedLives[]) {
  const { value, interval } = ratio(
    seeds.map(({ reach }) => reach!.after),
    seeds.map(({ reach }) => reach!.without),
  )
  return { loss: 1 - value, interval: [1 - interval[1], 1 - interval[0]] as const }
}

const three = (value: number) => Math.round(value * 1000) / 1000
const range = ([low, high]: readonly [number, number]) => `95 % [${low.toFixed(3)}, ${high.toFixed(3)}]`

async function reportAll(): Promise<void> {
  const [old, dense, sparse] = await Promise.all(
    (['old', 'dense', 'sparse'] as const).map((name) => simulateAll(name, seedsReported, name)),
  )
  const [told, crowded, small] = [old!, dense!, sparse!]
  printTable('old', told)
  printTable('dense', crowded)
  printCurve(crowded)
  printTable('sparse', small)
  printCurve(small)
  const of = (seeds: readonly SeedLives[], policy: string, key: keyof Outcome) =>
    mean(livesOf(seeds, policy).map(({ outcome }) => outcome[key]))
  const answered = (policy: string) => livesOf(small, policy).map(({ outcome }) => outcome.answered)
  const gain = ratio(answered('duet'), answered('distance only'))
  const spammed = { dense: spammerEffect(crowded), sparse: spammerEffect(small) }
  const effect = ({ loss, interval }: typeof spammed.dense) => `${three(loss)} (${range(interval)})`
  const noteOf = (name: MarketName) => `${markets[name].title}; ${seedsReported.length} seeds`
  report('market', [
    { id: 'M3.answered', value: Math.round(of(told, 'duet', 'answered')), target: '>= 5800', note: noteOf('old') },
    { id: 'M3.gini_men', value: three(of(told, 'duet', 'giniMen')), target: '<= 0.48', note: noteOf('old') },
    { id: 'M3.gini_women', value: three(of(told, 'duet', 'giniWomen')), target: '<= 0.25', note: noteOf('old') },
    { id: 'M3.men_with_answer', value: three(of(told, 'duet', 'menAnswered')), target: '>= 0.8', note: noteOf('old') },
    {
      id: 'M5.sparse_ratio',
      value: three(gain.value),
      target: '>= 1.1',
      note: `answered, over distance only; ${noteOf('sparse')}; ${range(gain.interval)}`,
    },
    {
      id: 'M5.newcomer_share',
      value: three(of(crowded, 'duet', 'newcomerShare')),
      target: '0.8 to 1.5',
      note: `${noteOf('dense')}; sparse ${three(of(small, 'duet', 'newcomerShare'))}`,
    },
    {
      id: 'M5.p10_answered',
      value: three(of(crowded, 'duet', 'tenthAnswered')),
      target: `>= ${three(of(crowded, 'distance only', 'tenthAnswered'))}`,
      note: `${noteOf('dense')}; the target is distance only`,
    },
    {
      id: 'M5.spammer_effect',
      value: three(Math.max(spammed.dense.loss, spammed.sparse.loss)),
      target: '<= 0.05',
      note: `the larger of dense ${effect(spammed.dense)} and sparse ${effect(spammed.sparse)}`,
    },
  ])
}

const chosenIn = (Object.keys(markets) as MarketName[]).filter((name) => values.in.split(',').includes(name))
if (values.choose) for (const name of chosenIn) printTable(name, await simulateAll(name, seedsOfChoosing, 'steps'))
else await reportAll()
