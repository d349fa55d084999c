import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../server/src/platform/database/embedded-postgres.ts'
import { checkOut, makeLater } from '../../tools/checkout.ts'
import { type Figure, report } from '../../tools/report.ts'
import { mainOf } from '../../tools/server.ts'
import { createFleet } from '../faults/fleet.ts'
import { verdictOn } from '../faults/invariants.ts'
import { createLedger } from '../faults/ledger.ts'
import type { Node } from '../faults/nodes.ts'
import { chanceOf } from '../faults/random.ts'
import { startTraffic, unless } from '../faults/stage.ts'
import { type Site, startSite } from '../faults/world.ts'
import { startProber } from './prober.ts'

/*
 * Replaces the two nodes of a release with nodes of the next release, one after the other, while people chat and
 * browse. Then goes back, and forward again. The next release is this checkout with a higher version and changed
 * migrations and functions. With `--against COMMIT`, that commit is checked out and built as the first release, this
 * checkout is the next release, and the nodes only go back with `--back`. `--keep-in FOLDER` reuses the checkout next
 * time.
 */
const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    'keep-in': { type: 'string' },
    back: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const seed = Number(values.seed)
const chance = chanceOf(seed)
const [peopleCount, writers, perSecond] = [60, 6, 30]
const patienceMs = 120_000
/** How long both releases run side by side, and then how long the new one runs alone. */
const besideMs = 8_000

const folder = mkdtempSync(join(tmpdir(), 'duet-updates-'))
const kept = values['keep-in'] ? resolve(values['keep-in']) : folder
mkdirSync(kept, { recursive: true })
const before = mainOf(checkOut(kept, values.against))
const after = mainOf(values.against === undefined ? makeLater(folder) : checkOut(kept, undefined))
const name = values.against === undefined ? 'this and a later one' : `${values.against} and this`
const way = values.back || values.against === undefined ? [after, before, after] : [after]
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

interface Schema {
  migrations: number
  comment: string
}
const askSchema = `select (select count(*)::int from kysely_migration) as migrations,
  obj_description('kysely_migration'::regclass) as comment`

/** Replaces each running node with a node of one release, one after the other. Returns the resulting schema. */
async function replace(site: Site, running: Node[], file: string, turn: number): Promise<Schema | undefined> {
  for (const [place, old] of running.entries()) {
    const node = await site.addNode(`turn-${turn}-${place}`, {}, file)
    await node.start()
    site.nodes.push(node)
    await sleep(besideMs)
    await old.stop()
  }
  await sleep(besideMs)
  return (await site.query<Schema>(askSchema))[0]
}

/** Runs all replacements. Returns errors unless the newest release, and no older one, changed the schema. */
async function replaceAll(site: Site): Promise<string[]> {
  const schemas: (Schema | undefined)[] = await site.query<Schema>(askSchema)
  for (const [turn, file] of way.entries())
    schemas.push(
      await replace(
        site,
        site.nodes.filter((node) => node.isUp()),
        file,
        turn,
      ),
    )
  const [first, newest, ...others] = schemas.map((schema) => JSON.stringify(schema))
  return [
    ...unless(values.against !== undefined || first !== newest, 'the later release changed nothing'),
    ...unless(
      others.every((schema) => schema === newest),
      'an older release changed the schema',
    ),
  ]
}

try {
  const socket = { path: join(owner.host, '.s.PGSQL.5432') }
  const site = await startSite(peopleCount, folder, { owner, way: socket }, before)
  ending.push(site.stop)
  const fleet = createFleet(site, chance, ledger)
  ending.push(fleet.close)
  const people = site.people.slice(0, writers)
  for (const [place, person] of people.entries()) await fleet.add(person, { kind: place === 4 ? 'plain' : 'app' })
  const ids = people.map(({ id }) => id)
  for (const device of fleet.devices()) for (const id of ids) if (id !== device.person.id) await device.open(id)

  const prober = startProber(site.nodes, site.people.slice(writers), chance)
  const traffic = startTraffic({ fleet, chance }, perSecond)
  const changed = await replaceAll(site).finally(traffic.stop)
  const verdict = await verdictOn(site, fleet.devices(), ledger, patienceMs)
  await prober.stop()
  const broken = [...new Set(prober.failures()), ...verdict.broken, ...changed]
  console.info(`${broken.length === 0 ? 'held  ' : 'BROKEN'} ${name}, ${way.length} times replaced`)
  for (const line of broken.slice(0, 15)) console.info(`         ${line}`)
  for (const [what, count] of prober.refused()) console.info(`         refused ${count} times: ${what}`)
  const note = `${name}, replaced ${way.length} times, seed ${seed}, ${ledger.size()} messages, ${prober.answered()} other requests`
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
