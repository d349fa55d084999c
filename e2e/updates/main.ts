import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { checkOut } from '../../tools/checkout.ts'
import { type Figure, report } from '../../tools/report.ts'
import { mainOf } from '../../tools/server.ts'
import { createFleet } from '../faults/fleet.ts'
import { verdictOn } from '../faults/invariants.ts'
import { createLedger } from '../faults/ledger.ts'
import type { Node } from '../faults/nodes.ts'
import { chanceOf } from '../faults/random.ts'
import { startTraffic } from '../faults/stage.ts'
import { type Site, startSite } from '../faults/world.ts'
import { startProber } from './prober.ts'

/*
 * Replaces two nodes of an older release by nodes of this one, one after the other, while people write to each other and
 * look around. `--against COMMIT` is the older release, checked out and built beside this one; `--keep-in FOLDER` keeps
 * that for the next time.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    'keep-in': { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
if (!values.against) throw new Error('--against COMMIT says which release was there before')
const seed = Number(values.seed)
const chance = chanceOf(seed)
const [peopleCount, writers, perSecond] = [60, 6, 30]
const patienceMs = 120_000
/** So long both releases run beside each other, and the new one alone. */
const besideMs = 8_000

const folder = mkdtempSync(join(tmpdir(), 'duet-updates-'))
const kept = values['keep-in'] ? resolve(values['keep-in']) : folder
mkdirSync(kept, { recursive: true })
const before = mainOf(checkOut(kept, values.against))
const now = mainOf(checkOut(kept, undefined))
console.info(`seed ${seed}`)

const log = { debug() {}, info() {}, warn() {}, error() {} }
const database = await startEmbeddedPostgres({ dataDir: folder, log })
const owner = database.connection
const ending: (() => Promise<unknown>)[] = [database.stop]
async function tidy(): Promise<void> {
  for (let end = ending.pop(); end; end = ending.pop()) await end().catch((error) => console.error(error))
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void tidy().finally(() => process.exit(130)))

const ledger = createLedger()

/** Puts a node of a release in the place of each that runs, one after the other. */
async function replace(site: Site, running: Node[], file: string): Promise<void> {
  for (const [place, old] of running.entries()) {
    const node = await site.addNode(`new-${place}`, {}, file)
    await node.start()
    site.nodes.push(node)
    await sleep(besideMs)
    await old.stop()
  }
  await sleep(besideMs)
}

try {
  const way = { path: join(owner.host, '.s.PGSQL.5432') }
  const site = await startSite(peopleCount, folder, { owner, way }, before)
  ending.push(site.stop)
  const fleet = createFleet(site, chance, ledger)
  ending.push(fleet.close)
  const people = site.people.slice(0, writers)
  for (const [place, person] of people.entries()) await fleet.add(person, { kind: place === 4 ? 'plain' : 'app' })
  const ids = people.map(({ id }) => id)
  for (const device of fleet.devices()) for (const id of ids) if (id !== device.person.id) await device.open(id)

  const prober = startProber(site.nodes, site.people.slice(writers), chance)
  const traffic = startTraffic({ fleet, chance }, perSecond)
  await replace(site, [...site.nodes], now).finally(traffic.stop)
  const verdict = await verdictOn(site, fleet.devices(), ledger, patienceMs)
  await prober.stop()
  const broken = [...new Set(prober.failures()), ...verdict.broken]
  console.info(`${broken.length === 0 ? 'held  ' : 'BROKEN'} from ${values.against} to this`)
  for (const line of broken.slice(0, 15)) console.info(`         ${line}`)
  for (const [what, count] of prober.refused()) console.info(`         refused ${count} times: ${what}`)
  const note = `${values.against} and this, seed ${seed}, ${ledger.size()} messages, ${prober.answered()} other requests`
  const figures: Figure[] = [
    { id: 'R6.lost', value: verdict.lost, target: '0', note },
    { id: 'R6.duplicated', value: verdict.duplicated, target: '0', note },
    { id: 'R6.server_errors', value: prober.failures().length, target: '0', note },
  ]
  report('updates', figures)
  if (broken.length > 0) process.exitCode = 1
  for (const node of site.nodes) if (broken.length > 0 && node.output()) console.info(node.output().slice(-3_000))
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await tidy()
}
process.exit()
