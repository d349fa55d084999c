import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { report } from './report.ts'
import { evaluate, type Standing } from './speed-dating/evaluate.ts'
import { type Evenings, readEvenings } from './speed-dating/evenings.ts'
import { foretellAll, prepare } from './speed-dating/foretellings.ts'
import { type Regime, regimes, shuffled } from './speed-dating/protocol.ts'

// M1 and M2: who matched on 21 evenings of speed dating, foretold by the product's own training and combination.
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    bootstrap: { type: 'string', default: '300' },
    shuffles: { type: 'string', default: '2' },
  },
})
const draws = Number(values.bootstrap)
const three = (value: number) => Math.round(value * 1000) / 1000
const range = ([low, high]: readonly [number, number]) => `[${low.toFixed(3)}, ${high.toFixed(3)}]`

function printTable(title: string, standings: Standing[]): void {
  console.log(`\n${title}\nmodel | AUC | per-user AUC | P@1 | logloss | AUC gain over popularity`)
  for (const { model, measured, intervals, gain } of standings) {
    const { auc, viewerAuc, precision, logLoss } = measured
    const columns = [
      `${auc.toFixed(3)} ${range(intervals.auc)}`,
      `${viewerAuc.toFixed(3)} ${range(intervals.viewerAuc)}`,
      `${precision.toFixed(3)} ${range(intervals.precision)}`,
      logLoss.toFixed(4),
      `${gain.auc.toFixed(3)} ${range(gain.interval)}`,
    ]
    console.log([model.padEnd(22), ...columns].join(' | '))
  }
}

function run(evenings: Evenings, folds: ReturnType<typeof prepare>, regime: Regime): Standing {
  const { choices, foretellings } = foretellAll(evenings, folds, regime)
  const standings = evaluate(foretellings, evenings.waves, 'popularity product', draws)
  printTable(`${regime.name}; ${foretellings.length} foretellings`, standings)
  for (const { penalty, prior, combine } of choices)
    console.log(
      `  chosen on the training evenings: penalty ${penalty}, a ${prior.says}, b ${prior.receives}, ${combine.kind}`,
    )
  return standings.find(({ model }) => model === 'duet') as Standing
}

/** The whole protocol on evenings whose decisions were dealt out anew. */
function perViewerAucWithoutSense(evenings: Evenings, shuffles: number): number {
  const areas = Array.from({ length: shuffles }, (_, place) => {
    const senseless = shuffled(evenings, place + 1)
    const { foretellings } = foretellAll(senseless, prepare(senseless), { ...regimes.half, masks: [1] })
    const standings = evaluate(foretellings, senseless.waves, 'popularity product', 1)
    return standings.find(({ model }) => model === 'duet')?.measured.viewerAuc ?? Number.NaN
  })
  console.log(`\nshuffled decisions, per-user AUC: ${areas.map((area) => area.toFixed(3)).join(', ')}`)
  return areas.reduce((sum, area) => sum + area, 0) / areas.length
}

function measure(path: string): void {
  const evenings = readEvenings(path)
  const { pairs, people, waves, sha256 } = evenings
  console.log(`${path}: sha256 ${sha256}; ${pairs.length} pairs of ${people.length} people on ${waves.length} evenings`)
  const folds = prepare(evenings)
  const half = run(evenings, folds, regimes.half)
  const fifth = run(evenings, folds, regimes.fifth)
  const first = run(evenings, folds, regimes.first)
  const senseless = perViewerAucWithoutSense(evenings, Number(values.shuffles))
  const note = `21 evenings, 7 folds, 3 masks, ${draws} resamples of evenings`
  const { auc, viewerAuc, precision } = half.measured
  report('matching', [
    { id: 'M1.auc', value: three(auc), target: '>= 0.73', note: `${note}; 95 % ${range(half.intervals.auc)}` },
    { id: 'M1.user_auc', value: three(viewerAuc), target: '>= 0.69', note: `95 % ${range(half.intervals.viewerAuc)}` },
    { id: 'M1.p_at_1', value: three(precision), target: '>= 0.32', note: `95 % ${range(half.intervals.precision)}` },
    { id: 'M1.gain_low', value: three(half.gain.interval[0]), target: '> 0.05', note: `gain ${three(half.gain.auc)}` },
    { id: 'M2.auc_3_decisions', value: three(fifth.measured.auc), target: '>= 0.66', note: range(fifth.intervals.auc) },
    { id: 'M2.auc_time_split', value: three(first.measured.auc), target: '>= 0.74', note: range(first.intervals.auc) },
    {
      id: 'M1.shuffled_user_auc',
      value: three(senseless),
      target: '0.47 to 0.53',
      note: `${values.shuffles} shuffles`,
    },
  ])
}

if (values.data && existsSync(values.data)) measure(values.data)
else {
  console.log('bench:matching needs the speed-dating data: npm run bench:matching -- --data PATH/speed-dating.csv')
  if (values.data) process.exitCode = 1
}
