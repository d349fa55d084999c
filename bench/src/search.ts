import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Figure, report } from '../../tools/report.ts'
import { measureSearch } from './discovery/gate.ts'
import { openWorld, type World } from './discovery/world.ts'

/*
 * P5: only the candidate search, for viewers of the five fullest cells. The database and the in-memory index take turns
 * in one process, with the product's database settings, and must find the same people.
 */
const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '200000' },
    'keep-in': { type: 'string' },
  },
})
const people = Number(values.people)
const swipes = people * 20

let open: Pick<World, 'stop'> | undefined
async function tidy(): Promise<void> {
  const ending = open
  open = undefined
  await ending?.stop()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void tidy().finally(() => process.exit(130)))

const settings = { shared_buffers: '256MB', effective_cache_size: '1GB' }
const world = await openWorld({ people, swipes, keepIn: values['keep-in'], settings }, (opening) => {
  open = opening
})
const figures: Figure[] = []
try {
  const searched = await measureSearch(world)
  for (const [way, { p50, p95, p99, serverMs, databaseMs }] of Object.entries(searched)) {
    const times = [p50, p95, p99].map((ms) => ms.toFixed(2)).join(' / ')
    const cpu = `${serverMs.toFixed(2)} + ${databaseMs.toFixed(2)} = ${(serverMs + databaseMs).toFixed(2)}`
    console.log(`  by ${way}: ${times} ms (p50 / p95 / p99), CPU of server and database ${cpu} ms`)
  }
  const { p50, serverMs, databaseMs } = searched['the database']
  const load = loadavg()[0]?.toFixed(1)
  const note = `the search by the database alone, five fullest cells, ${people} people, load ${load} on ${cpus().length} cores`
  figures.push(
    { id: 'P5.search_p50_ms', value: p50, target: '<= 5', note },
    { id: 'P5.search_cpu_ms', value: serverMs + databaseMs, target: '<= 6', note },
  )
} finally {
  await tidy()
}
report('search', figures)
