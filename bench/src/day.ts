import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { each } from '../../tools/each.ts'
import type { Line } from '../../tools/line.ts'
import { median } from '../../tools/percentiles.ts'
import { type Figure, report } from '../../tools/report.ts'
import { stayOnLoadCore } from './chat/cores.ts'
import { growthOf, sizesOf } from './day/growth.ts'
import { ask, connect, type Dayfly, day, type Place, parts } from './day/person.ts'
import { type Person, startVersion, type Version } from './day/version.ts'

/*
 * P11: the CPU time of server and database for one active person's day, from the operating system's counters. The
 * server runs as with `npm start`. `--against COMMIT` also measures that commit, in turns in the same run, in a
 * checkout built for it. Several people's days run concurrently, part by part, as fast as possible. `--keep-in FOLDER`
 * stores the checkout and the population there and reuses them next time.
 */
const { values: options } = parseArgs({ options: { against: { type: 'string' }, 'keep-in': { type: 'string' } } })
const population = { people: 20_000, swipes: 400_000, tokens: 4_000 }
const rounds = 3
/** Each round uses different people because decks run out. */
const peopleOfRound = 24
const atOnce = 4
/** The minimum share of a day that must be done. Some decks run out earlier; results are scaled up to a whole day. */
const leastDone = 0.8
/** Someone with fewer people nearby couldn't make a day's number of decisions. */
const fewestAround = 200
const idle = { lines: 200, ms: 30_000 }

type Spent = Record<string, number>
const sumOf = (spent: Spent) => Object.values(spent).reduce((sum, one) => sum + one, 0)
const rounded = (value: number) => Math.round(value * 1000) / 1000

const picture = () =>
  sharp({ create: { width: 1080, height: 1350, channels: 3, background: '#a5583b' } })
    .jpeg()
    .toBuffer()

async function addPhoto(place: Place, { id, token }: Person, file: Buffer): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), 'me.jpg')
  await ask(place, token, `/api/user/${id}/image`, { method: 'PATCH', body: form })
}

/** Whether the person has enough people nearby and hasn't liked anyone today. */
async function canLiveIt(place: Place, { token }: Person): Promise<boolean> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  const { both } = await ask<{ both: number }>(place, token, '/api/pool', init)
  if (both < fewestAround) return false
  const { state, today } = await ask<{ state: string; today: { likes: number } }>(place, token, '/api/deck')
  return state === 'ready' && today.likes === 0
}

/** Finds pairs of people who see each other's photo and each have enough people nearby. */
async function gather(place: Place, people: readonly Person[], count: number): Promise<Dayfly[]> {
  const chosen: Person[] = []
  for (const person of people) {
    if (chosen.length < count && (await canLiveIt(place, person))) chosen.push(person)
  }
  if (chosen.length < count) throw new Error(`only ${chosen.length} of ${count} have people around`)
  const file = await picture()
  for (const person of chosen) await addPhoto(place, person, file)
  return Promise.all(
    chosen.map(async (person, at) => {
      const peer = chosen[at % 2 === 0 ? at + 1 : at - 1] as Person
      const { photos } = await ask<{ photos: { url: string }[] }>(place, person.token, `/api/user/${peer.id}`)
      return { ...person, peer, photos: photos.map(({ url }) => url) }
    }),
  )
}

/** Measures the CPU cost of being connected, beyond what an idle server uses, in ms per person and day. */
async function connected(version: Version, place: Place): Promise<number> {
  const rest = async () => {
    const before = version.cpuMs()
    await sleep(idle.ms)
    return version.cpuMs() - before
  }
  const alone = await rest()
  const lines: Line[] = []
  await each(version.people.slice(0, idle.lines), 20, async ({ token }) => void lines.push(await connect(place, token)))
  // Wait for the work that follows a connection, which is measured as part of opening the app.
  await sleep(5_000)
  const together = await rest()
  for (const line of lines) line.close()
  const personMinutes = (lines.length * idle.ms) / 60_000
  return (Math.max(0, together - alone) / personMinutes) * day.connectedMinutes
}

/**
 * Returns the CPU time in ms per person, by part of the day. Throws if too large a share of a part couldn't be done.
 */
async function liveDay(version: Version, place: Place, people: readonly Dayfly[]): Promise<Spent> {
  const spent: Spent = {}
  for (const [name, live] of Object.entries(parts)) {
    const before = version.cpuMs()
    let done = 0
    await each(people, atOnce, async (person) => {
      const share = await live(place, person)
      done += share
    })
    if (done < leastDone * people.length) throw new Error(`${name}: only ${done} of ${people.length} days`)
    spent[name] = (version.cpuMs() - before) / done
  }
  return spent
}

stayOnLoadCore()
const folder = resolve(options['keep-in'] ?? mkdtempSync(join(tmpdir(), 'duet-day-')))
const versions: Version[] = []
async function tidy(): Promise<void> {
  for (const { server } of versions.splice(0)) await server.stop()
  if (!options['keep-in']) rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void tidy().finally(() => process.exit(130)))
try {
  for (const commit of [undefined, ...(options.against ? [options.against] : [])])
    versions.push(await startVersion(join(folder, commit ?? 'this'), commit, population))
  const cast = await Promise.all(
    versions.map(async (version) => {
      const place = { base: `http://127.0.0.1:${version.server.port}`, port: version.server.port }
      const days: Spent[] = []
      return { version, place, days, people: await gather(place, version.people, peopleOfRound * (rounds + 1)) }
    }),
  )
  const { dataDir } = versions[0] as Version
  const before = await sizesOf(dataDir)
  for (let round = 0; round <= rounds; round++)
    for (const { version, place, people, days } of cast) {
      const those = people.slice(round * peopleOfRound, (round + 1) * peopleOfRound)
      const spent = await liveDay(version, place, those)
      if (round > 0) days.push(spent)
    }
  const grown = growthOf(before, await sizesOf(dataDir), peopleOfRound * (rounds + 1))
  const costs: number[] = []
  const notes: string[] = []
  for (const { version, place, days } of cast) {
    const names = Object.keys(parts)
    const middle = Object.fromEntries(names.map((name) => [name, median(days.map((spent) => spent[name] ?? 0))]))
    const spent: Spent = { ...middle, connected: await connected(version, place) }
    costs.push(sumOf(spent) / 1000)
    notes.push(
      `${version.name}: ${Object.entries(spent)
        .map(([name, ms]) => `${name} ${Math.round(ms)} ms`)
        .join(', ')}`,
    )
    console.log(`  ${notes.at(-1)}`)
  }
  const [own = 0, other] = costs
  const lived = `${peopleOfRound} people a round, medians of ${rounds} rounds`
  const figures: Figure[] = [
    // Assumes that a tenth of a day's work falls into the busiest hour, and that a core is full at 60%.
    {
      id: 'P11.people_per_core',
      value: Math.floor((0.6 * 3600) / (0.1 * own)),
      target: 'told',
      note: 'active people a core carries whose busiest hour is a tenth of the day, at 60 %',
    },
    { id: 'P11.cpu_s', value: rounded(own), target: 'told', note: `CPU seconds of a day; ${notes[0]}; ${lived}` },
  ]
  if (other !== undefined)
    figures.push({
      id: 'P11.day',
      value: rounded(other / own),
      target: '>= 5',
      note: `times less than ${options.against}, ${rounded(other)} s; ${notes[1]}; ${lived}`,
    })
  const largest = grown.tables.slice(0, 12).map(([name, kb]) => `${name} ${kb}`)
  figures.push(
    {
      id: 'W1.day_kb',
      value: rounded(grown.tables.reduce((sum, [, kb]) => sum + kb, 0)),
      target: 'told',
      note: `what tables and their indexes grow by, KB a person and day: ${largest.join(', ')}`,
    },
    { id: 'W1.day_log_kb', value: grown.logKb, target: 'told', note: 'what goes to the log of the database' },
  )
  console.log(`  grown, KB a person and day: ${largest.join(', ')}; log ${grown.logKb}`)
  report('day', figures)
} finally {
  await tidy()
}
