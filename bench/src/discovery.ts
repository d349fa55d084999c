import { parseArgs } from 'node:util'
import { type Figure, report } from '../../tools/report.ts'
import { type Measured, measureWorld } from './discovery/run.ts'
import { kinds } from './discovery/viewers.ts'
import { openWorld, type World } from './discovery/world.ts'

/*
 * P5: building a deck from scratch (search, rank, lay out, store), in turns with a typical implementation. The viewers
 * live in the densest town, in towns and in the country, and some have already decided on their 5,000 nearest people.
 * From 500,000 people on, a population of a tenth is measured too.
 */
const usage = 'usage: npm run bench:discovery -- --people P --swipes S [--explain] [--keep-in FOLDER]'
const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    swipes: { type: 'string' },
    explain: { type: 'boolean', default: false },
    'keep-in': { type: 'string' },
  },
})
const people = Number(values.people)
const swipes = Number(values.swipes ?? people * 20)
if (!(Number.isInteger(people) && people >= 1_000 && Number.isInteger(swipes) && swipes > 0)) {
  console.error(usage)
  process.exit(1)
}
const growsFrom = 500_000

let open: Pick<World, 'stop'> | undefined
let isOver = false
async function tidy(): Promise<void> {
  const ending = open
  open = undefined
  await ending?.stop()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    isOver = true
    void tidy().finally(() => process.exit(130))
  })

async function measure(size: { people: number; swipes: number }): Promise<Measured> {
  console.log(`${size.people} people, ${size.swipes} swipes`)
  const world = await openWorld({ ...size, keepIn: values['keep-in'] }, (opening) => {
    open = opening
  })
  try {
    return await measureWorld(world, { explain: values.explain })
  } finally {
    if (!isOver) await tidy()
  }
}

const round = (value: number) => Math.round(value * 100) / 100

function figuresOf(large: Measured, small: Measured | undefined): Figure[] {
  const setting = `${people} people, ${swipes} swipes, medians of ${large.rounds} rounds of ${large.requests} each`
  const times = kinds.map((kind): Figure => {
    const { p50, p95, p99 } = large.build[kind]
    const note = `a deck made anew, p50 ${round(p50)}, p95 ${round(p95)}; ${setting}`
    return { id: `P5.${kind}_p99_ms`, value: round(p99), target: '<= 15', note }
  })
  const requests = kinds.map((kind): Figure => {
    const { p50, p95, p99 } = large.made[kind]
    const note = `GET /api/deck whose deck has to be made, p50 ${round(p50)}, p95 ${round(p95)}; ${setting}`
    return { id: `P5.request_${kind}_p99_ms`, value: round(p99), target: '<= 15', note }
  })
  const naive = large.naive.dense.p50 / large.build.dense.p50
  const ratio = { id: 'P5.naive_ratio', value: round(naive), target: '>= 20' }
  const ratioNote = `the peer's query (p50 ${round(large.naive.dense.p50)} ms) over a deck made anew, dense; ${setting}`
  const insights: Figure = {
    id: 'P5.insights_ms',
    value: round(large.insightsMs),
    target: '<= 300',
    note: `what an operator sees of the pool, measured anew, without impressions but those of this run; ${people} people`,
  }
  const figures = [...times, ...requests, insights, { ...ratio, note: ratioNote }]
  if (!small) return figures
  const growth = { id: 'P5.growth', value: round(large.build.dense.p95 / small.build.dense.p95), target: '<= 1.5' }
  return [...figures, { ...growth, note: `p95, dense, over that of ${people / 10} people` }]
}

const small = people >= growsFrom ? await measure({ people: people / 10, swipes: swipes / 10 }) : undefined
const large = await measure({ people, swipes })
report('discovery', figuresOf(large, small))
