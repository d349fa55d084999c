import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { report } from '../../tools/report.ts'
import { simulateCeiling } from './speed-dating/ceiling.ts'
import { calibration, type Difference, evaluate, type Interval, type Standing } from './speed-dating/evaluate.ts'
import { type Evenings, readEvenings } from './speed-dating/evenings.ts'
import { foretellAll, prepare, serveAll } from './speed-dating/foretellings.ts'
import { drawn, type Regime, regimes, shuffled } from './speed-dating/protocol.ts'

// M1, M2 and M4: predicting who matched on 21 speed-dating evenings. `duet` is the best result that the product's
// training and scoring can reach, tuned on the training evenings. `served` uses the product's actual settings and
// features.
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    bootstrap: { type: 'string', default: '1000' },
    shuffles: { type: 'string', default: '2' },
  },
})
const draws = Number(values.bootstrap)
const baseline = 'popularity product'
const graded = 'graded, openly'
const three = (value: number) => Math.round(value * 1000) / 1000
const range = ([low, high]: Interval) => `[${low.toFixed(3)}, ${high.toFixed(3)}]`
const told = ({ value, interval }: Difference) => `${value >= 0 ? '+' : ''}${value.toFixed(4)} ${range(interval)}`

function printTable(title: string, { standings, difference }: ReturnType<typeof evaluate>): void {
  console.log(`\n${title}\nmodel | AUC | per-user AUC | P@1 | logloss | AUC gain over popularity, paired`)
  for (const { model, measured, intervals, logLoss } of standings) {
    const { auc, viewerAuc, precision } = measured
    const columns = [
      `${auc.toFixed(3)} ${range(intervals.auc)}`,
      `${viewerAuc.toFixed(3)} ${range(intervals.viewerAuc)}`,
      `${precision.toFixed(3)} ${range(intervals.precision)}`,
      logLoss.toFixed(4),
      told(difference(model, baseline, 'auc')),
    ]
    console.log([model.padEnd(24), ...columns].join(' | '))
  }
}

/** Comparisons that decide which model the product uses, and one that shows what ratings would add to decisions. */
const compared = [
  ['duet', 'served'],
  ['served', 'served, as they decide'],
  ['served, product', 'served, harmonic'],
  [graded, 'duet'],
] as const

function run(evenings: Evenings, folds: ReturnType<typeof prepare>, regime: Regime) {
  const { choices, foretellings } = foretellAll(evenings, folds, regime)
  const evaluated = evaluate(foretellings, evenings.waves, draws)
  printTable(`${regime.name}, ${regime.masks.length} masks; ${foretellings.length} foretellings`, evaluated)
  for (const [one, other] of compared) {
    const [auc, viewerAuc] = (['auc', 'viewerAuc'] as const).map((key) => evaluated.difference(one, other, key))
    console.log(`  ${one} over ${other}, paired: AUC ${told(auc!)}, per-user AUC ${told(viewerAuc!)}`)
  }
  for (const { penalty, prior, combine } of choices)
    console.log(
      `  chosen on the training evenings: penalty ${penalty}, a ${prior.says}, b ${prior.receives}, ${combine.kind}`,
    )
  const { deciles, gap } = calibration(foretellings, 'served')
  const list = deciles.map(({ foretold, observed }) => `${foretold.toFixed(3)}/${observed.toFixed(3)}`)
  console.log(`  served, by tenths, foretold/observed: ${list.join(' ')}; largest gap ${gap.toFixed(3)}`)
  return { ...evaluated, gap }
}

/** Runs the whole protocol on shuffled decisions. An AUC above 0.5 would reveal a leak. */
function perViewerAucWithoutSense(evenings: Evenings, shuffles: number): number {
  const areas = Array.from({ length: shuffles }, (_, place) => {
    const senseless = shuffled(evenings, place + 1)
    const { foretellings } = foretellAll(senseless, prepare(senseless), drawn(0.5, 3))
    const { standing } = evaluate(foretellings, senseless.waves, 1)
    const area = (model: string) => standing(model).measured.viewerAuc
    console.log(
      `shuffled decisions, per-user AUC: duet ${three(area('duet'))}, served ${three(area('served'))}, ${graded} ${three(area(graded))}`,
    )
    return area('duet')
  })
  return areas.reduce((sum, area) => sum + area, 0) / areas.length
}

/**
 * Prints the served model's AUC by the visible share of the evening, next to the best AUC that a model with two numbers
 * per person could reach.
 */
function printCurve(evenings: Evenings, folds: ReturnType<typeof prepare>): void {
  console.log('\nvisible | popularity | served | gain, paired | simulated: two numbers estimated | known exactly')
  for (const share of [0.1, 0.2, 0.35, 0.5, 0.65, 0.8]) {
    const regime = drawn(share)
    const { standing, difference } = evaluate(serveAll(evenings, folds, regime), evenings.waves, draws)
    const area = (model: string) => standing(model).measured.auc.toFixed(3)
    const { estimated, known } = simulateCeiling(evenings, regime)
    const gain = told(difference('served', baseline, 'auc'))
    console.log([share, area(baseline), area('served'), gain, estimated.toFixed(3), known.toFixed(3)].join(' | '))
  }
}

function measure(path: string): void {
  const evenings = readEvenings(path)
  const { pairs, people, waves, sha256 } = evenings
  console.log(`${path}: sha256 ${sha256}; ${pairs.length} pairs of ${people.length} people on ${waves.length} evenings`)
  const folds = prepare(evenings)
  const half = run(evenings, folds, regimes.half)
  const fifth = run(evenings, folds, regimes.fifth)
  const first = run(evenings, folds, regimes.first)
  printCurve(evenings, folds)
  console.log()
  const senseless = perViewerAucWithoutSense(evenings, Number(values.shuffles))
  const of = ({ standing }: typeof half, model: string): Standing => standing(model)
  const { measured, intervals } = of(half, 'duet')
  const served = of(half, 'served')
  const withCards = of(half, graded)
  const gain = half.difference('duet', baseline, 'auc')
  const byCards = half.difference(graded, 'duet', 'auc')
  const note = `21 evenings, 7 folds, ${regimes.half.masks.length} masks, ${draws} resamples of evenings`
  report('matching', [
    {
      id: 'M1.auc',
      value: three(measured.auc),
      target: '>= 0.73',
      note: `${note}; 95 % ${range(intervals.auc)}`,
    },
    {
      id: 'M1.user_auc',
      value: three(measured.viewerAuc),
      target: '>= 0.69',
      note: `95 % ${range(intervals.viewerAuc)}`,
    },
    {
      id: 'M1.p_at_1',
      value: three(measured.precision),
      target: '>= 0.32',
      note: `95 % ${range(intervals.precision)}`,
    },
    { id: 'M1.gain_low', value: three(gain.interval[0]), target: '> 0.05', note: `gain ${three(gain.value)}` },
    {
      id: 'M1.served_auc',
      value: three(served.measured.auc),
      target: '',
      note: `what the product serves; 95 % ${range(served.intervals.auc)}`,
    },
    {
      id: 'M1.graded_auc',
      value: three(withCards.measured.auc),
      target: '>= 0.75',
      note: `with what people said after the date, of visible meetings only; 95 % ${range(withCards.intervals.auc)}`,
    },
    {
      id: 'M1.graded_gain_low',
      value: three(byCards.interval[0]),
      target: '> 0',
      note: `over duet, paired; gain ${three(byCards.value)}`,
    },
    {
      id: 'M2.auc_3_decisions',
      value: three(of(fifth, 'duet').measured.auc),
      target: '>= 0.66',
      note: range(of(fifth, 'duet').intervals.auc),
    },
    {
      id: 'M2.auc_time_split',
      value: three(of(first, 'duet').measured.auc),
      target: '>= 0.74',
      note: range(of(first, 'duet').intervals.auc),
    },
    {
      id: 'M1.shuffled_user_auc',
      value: three(senseless),
      target: '0.47 to 0.53',
      note: `${values.shuffles} shuffles`,
    },
    {
      id: 'M4.calibration',
      value: three(half.gap),
      target: '<= 0.05',
      note: `largest gap by tenths, half visible; ${three(fifth.gap)} with a fifth visible`,
    },
  ])
}

if (values.data && existsSync(values.data)) measure(values.data)
else {
  console.log('bench:matching needs the speed-dating data: npm run bench:matching -- --data PATH/speed-dating.csv')
  if (values.data) process.exitCode = 1
}
