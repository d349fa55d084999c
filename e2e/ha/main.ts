import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Figure, report } from '../../tools/report.ts'
import { createFleet, type Fleet } from '../faults/fleet.ts'
import { verdictOn } from '../faults/invariants.ts'
import { createLedger, type Ledger } from '../faults/ledger.ts'
import { chanceOf } from '../faults/random.ts'
import { startTraffic, unless, until } from '../faults/stage.ts'
import { type Site, startSite } from '../faults/world.ts'
import { type Cluster, patienceMs, startCluster } from './cluster.ts'
import { type Fault, faults, loseWhileDeaf } from './faults.ts'
import { goBack, type WentBack } from './point-in-time.ts'
import { startReading } from './reading.ts'

/*
 * Makes database machines fail while people write to each other, and compares the senders' records with the database
 * and with what each device shows. Then repeats a failure without a synchronous standby: this must lose messages,
 * otherwise the test proves nothing. Last, restores the database to the moment before a mistake.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string' },
    pooled: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const chance = chanceOf(seed)
const peopleCount = 20
/** People who neither write nor are erased. */
const readers = ({ people }: Site) => people.slice(6, 14)
const perSecond = 30

/** A ledger that also records when each message was written and acknowledged, in ms. */
function timedLedger(): Ledger & { times: number[]; wroteAt: Map<string, number> } {
  const ledger = createLedger()
  const times: number[] = []
  const wroteAt = new Map<string, number>()
  return {
    ...ledger,
    times,
    wroteAt,
    wrote(entry) {
      wroteAt.set(entry.id, performance.now())
      ledger.wrote(entry)
    },
    acknowledged(id) {
      times.push(performance.now())
      ledger.acknowledged(id)
    },
  }
}

const ledger = timedLedger()
const acknowledged = () => ledger.entries().flatMap(({ id, acknowledged: is }) => (is ? [id] : []))
const totals = { lost: 0, duplicated: 0, controlLost: 0, broken: [] as string[] }
/** Totals of the lists that replicas returned. */
const read = { lists: 0, shown: 0, wrong: 0 }
/** Periods without an acknowledgement, in ms, and whether another machine had to become the primary. */
const silences: { ms: number; isFailover: boolean }[] = []

/** The longest period without an acknowledgement between two times, in ms. */
function longestSilence(from: number, to: number): number {
  const moments = [from, ...ledger.times.filter((time) => time >= from && time <= to), to]
  return Math.max(...moments.slice(1).map((moment, place) => moment - (moments[place] as number)))
}

const isWritten = (since: number) =>
  ledger.entries().some(({ id, acknowledged }) => acknowledged && (ledger.wroteAt.get(id) ?? 0) > since)

async function play(cluster: Cluster, site: Site, fleet: Fleet, fault: Fault): Promise<string[]> {
  const traffic = startTraffic({ fleet, chance }, perSecond)
  const reading = await startReading(site, readers(site))
  const broken: string[] = []
  try {
    await sleep(1_500)
    const since = performance.now()
    const { mend, changesPrimary, from, broken: found = [] } = await fault.strike(cluster, isWritten)
    broken.push(...found)
    if (changesPrimary) {
      const isOther = async () => {
        const now = await cluster.leader()
        return now !== undefined && now.name !== from
      }
      if (!(await until(isOther, patienceMs))) broken.push('no other machine became the primary')
    }
    const changed = performance.now()
    if (!(await until(() => isWritten(changed), patienceMs))) broken.push('no one could write again')
    silences.push({ ms: longestSilence(since, performance.now()), isFailover: changesPrimary })
    await mend()
    await cluster.whole()
    await sleep(500)
  } finally {
    traffic.stop()
    await reading.stop()
  }
  const { lists, shown, wrong } = reading.counts
  for (const [name, count] of Object.entries({ lists, shown, wrong })) read[name as keyof typeof read] += count
  broken.push(...unless(shown > 0, 'no one was shown anyone'))
  broken.push(...unless(wrong === 0, `${wrong} people were shown who had left before`))
  await site.heal()
  return broken
}

function tell(fault: Fault, broken: string[], tookMs: number): void {
  const silence = ((silences.at(-1)?.ms ?? 0) / 1000).toFixed(1)
  const held = broken.length === 0 ? 'held  ' : 'BROKEN'
  console.info(`${held} ${fault.title} (${silence} s without an answer, ${(tookMs / 1000).toFixed(1)} s in all)`)
  for (const line of broken.slice(0, 12)) console.info(`         ${line}`)
}

/** Metrics that alert rules use but Patroni doesn't export. */
async function missingFigures(cluster: Cluster): Promise<string[]> {
  const rules = readFileSync(new URL('../../deploy/prometheus/patroni.rules.yml', import.meta.url), 'utf8')
  const asked = new Set(rules.match(/\bpatroni_[a-z_]+/g))
  const told = new Set((await cluster.figures()).match(/^patroni_[a-z_]+/gm))
  return [...asked]
    .filter((name) => !told.has(name))
    .map((name) => `an alert uses ${name}, which Patroni doesn't export`)
}

async function playAll(cluster: Cluster, site: Site, fleet: Fleet): Promise<void> {
  const chosen = faults.filter(({ id }) => !values.only || values.only.split(',').includes(id))
  const plan = Array.from({ length: Number(values.rounds) }, () => chosen).flat()
  for (const fault of plan) {
    const since = performance.now()
    const own = await play(cluster, site, fleet, fault)
    const verdict = await verdictOn(site, fleet.devices(), ledger, patienceMs)
    totals.lost = Math.max(totals.lost, verdict.lost)
    totals.duplicated = Math.max(totals.duplicated, verdict.duplicated)
    const broken = [...own, ...verdict.broken]
    totals.broken.push(...broken)
    tell(fault, broken, performance.now() - since)
  }
}

async function playControl(cluster: Cluster, site: Site, fleet: Fleet): Promise<void> {
  await cluster.setSynchronous(false)
  const wrongBefore = read.wrong
  const broken = await play(cluster, site, fleet, loseWhileDeaf)
  // The promised failover time assumes a synchronous standby.
  silences.pop()
  read.wrong = wrongBefore
  const { lost } = await verdictOn(site, fleet.devices(), ledger, 5_000)
  totals.controlLost = lost
  console.info(`without a standby that confirms, ${lost} acknowledged messages are gone`)
  for (const line of broken) console.info(`         ${line}`)
}

async function playBack(cluster: Cluster, site: Site, fleet: Fleet): Promise<WentBack> {
  await cluster.setSynchronous(true)
  const since = performance.now()
  const write = async (ms: number) => {
    const known = new Set(acknowledged())
    const traffic = startTraffic({ fleet, chance }, perSecond)
    await sleep(ms)
    traffic.stop()
    await until(async () => ledger.entries().every((entry) => entry.acknowledged), 10_000)
    return ledger.entries().filter(({ id, acknowledged: is }) => is && !known.has(id))
  }
  const back = await goBack({ cluster, site, fleet, write })
  const broken = [...back.broken, ...(back.kept > 0 ? [] : ['nothing was acknowledged before the moment'])]
  totals.broken.push(...broken)
  const took = ((performance.now() - since) / 1000).toFixed(1)
  const verdict = broken.length === 0 ? 'held  ' : 'BROKEN'
  console.info(
    `${verdict} the database is put back to a moment before a mistake (${back.kept} messages, ${took} s in all)`,
  )
  for (const line of broken.slice(0, 12)) console.info(`         ${line}`)
  return back
}

function figures(back: WentBack | undefined): Figure[] {
  const note = `seed ${seed}, ${ledger.size()} messages, Patroni 3 with three etcd and HAProxy${values.pooled ? ', through PgBouncer,' : ''} on one machine`
  const failovers = silences.filter(({ isFailover }) => isFailover)
  const sorted = failovers.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0
  return [
    { id: 'R5.lost', value: totals.lost, target: '0', note },
    { id: 'R5.duplicated', value: totals.duplicated, target: '0', note },
    { id: 'R5.back_s', value: Math.round(p95 / 100) / 10, target: '<= 30', note: `p95 of ${sorted.length}; ${note}` },
    { id: 'R5.control_lost', value: totals.controlLost, target: '>= 1', note },
    { id: 'R5.failovers', value: failovers.length, target: '>= 10', note },
    {
      id: 'S5.wrong',
      value: read.wrong,
      target: '0',
      note: `${read.shown} people shown in ${read.lists} lists; ${note}`,
    },
    ...(back
      ? [
          { id: 'R7.lost', value: back.lost, target: '0', note: `of ${back.kept} messages, by pgBackRest; ${note}` },
          { id: 'R7.returned', value: back.returned, target: '0', note: 'of two erased accounts' },
        ]
      : []),
  ]
}

console.info(`seed ${seed}`)
const cluster = await startCluster({ pooled: values.pooled })
const ending: (() => Promise<unknown>)[] = [cluster.stop]
async function tidy(): Promise<void> {
  for (let end = ending.pop(); end; end = ending.pop()) await end().catch((error) => console.error(error))
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void tidy().finally(() => process.exit(130)))

try {
  const site = await startSite(peopleCount, cluster.folder, cluster.address)
  ending.push(site.stop)
  const fleet = createFleet(site, chance, ledger)
  ending.push(fleet.close)
  const people = site.people.slice(0, 6)
  for (const [place, person] of people.entries()) await fleet.add(person, { kind: place === 4 ? 'plain' : 'app' })
  const ids = people.map(({ id }) => id)
  for (const device of fleet.devices()) for (const id of ids) if (id !== device.person.id) await device.open(id)
  const missing = await missingFigures(cluster)
  totals.broken.push(...missing)
  for (const line of missing) console.info(`BROKEN ${line}`)
  await playAll(cluster, site, fleet)
  if (!values.only || values.only.includes('control')) await playControl(cluster, site, fleet)
  const back = !values.only || values.only.includes('back') ? await playBack(cluster, site, fleet) : undefined
  if (values.only) for (const { id, value, target } of figures(back)) console.info(`${id}: ${value} (target ${target})`)
  else report('ha', figures(back))
  if (totals.broken.length > 0 || (!values.only && totals.controlLost === 0)) process.exitCode = 1
} catch (error) {
  console.error(error)
  console.error(cluster.output())
  process.exitCode = 1
} finally {
  await tidy()
}
process.exit()
