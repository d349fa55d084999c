import { parseArgs } from 'node:util'
import { type Figure, report } from '../../tools/report.ts'
import type { Person } from './device.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Verdict, verdictOn } from './invariants.ts'
import { createLedger } from './ledger.ts'
import { crowded, crowdOf } from './programs/crowd.ts'
import { freezes, programs } from './programs/programs.ts'
import { chanceOf } from './random.ts'
import { playRandomly } from './soak.ts'
import { type Program, type Stage, standstillMs } from './stage.ts'
import { startWorld, type World } from './world.ts'

/*
 * Injects faults into everything that messages pass through while devices run the app's own chat. Then compares the
 * senders' records with the database and with what each device shows. The seed decides which faults happen and when,
 * but not the order in which processes respond.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    /** How long random faults run after the programs, in minutes. */
    minutes: { type: 'string', default: '0.15' },
    only: { type: 'string' },
  },
})
const seed = Number(values.seed)
const soakMs = Number(values.minutes) * 60_000
const chosen = values.only?.split(',')

/** Programs that take minutes run only in a long run, or if they were named. */
const isLong = chosen !== undefined || soakMs >= 60_000

function isPlayed(program: Program): boolean {
  if (chosen) return chosen.includes(program.id)
  return isLong || program.isLong === undefined
}

const inFleet = 6
const peopleCount = 220 + (isPlayed(crowded) ? crowdOf(isLong) : 0)
const chapterMs = 40_000
/** Something is frozen for a while after this many chapters. */
const chaptersToFreeze = 3

interface Outcome {
  id: string
  title: string
  broken: string[]
}

/** Creates two people with two devices each, one of them an old client, and others with one device. */
async function enter(fleet: Fleet, people: readonly Person[]): Promise<void> {
  for (const [place, person] of people.entries()) await fleet.add(person, { kind: place === 4 ? 'plain' : 'app' })
  await fleet.add(people[0] as Person, { token: 1 })
  await fleet.add(people[1] as Person, { token: 1, kind: 'plain' })
  const ids = people.map(({ id }) => id)
  for (const device of fleet.devices()) for (const id of ids) if (id !== device.person.id) await device.open(id)
}

function createStage(world: World): Stage {
  const chance = chanceOf(seed)
  const ledger = createLedger()
  let next = inFleet
  return {
    world,
    chance,
    ledger,
    isLong,
    fleet: createFleet(world, chance, ledger),
    strangers(count) {
      next += count
      if (next > world.people.length) throw new Error('there are too few people')
      return world.people.slice(next - count, next)
    },
  }
}

const totals = { lost: 0, duplicated: 0 }

async function settle(stage: Stage): Promise<Verdict & { tookMs: number }> {
  for (const { line, lead } of stage.fleet.members) {
    lead()
    line.clear()
  }
  await stage.world.heal()
  const verdict = await verdictOn(stage.world, stage.fleet.devices(), stage.ledger, standstillMs)
  totals.lost = Math.max(totals.lost, verdict.lost)
  totals.duplicated = Math.max(totals.duplicated, verdict.duplicated)
  return verdict
}

function tell({ id, title, broken }: Outcome, tookMs: number, settledMs: number): void {
  const times = `${(tookMs / 1000).toFixed(1)} s, all agree ${(settledMs / 1000).toFixed(1)} s later`
  console.info(`${broken.length === 0 ? 'held  ' : 'BROKEN'} ${id.padEnd(4)} ${title} (${times})`)
  for (const line of broken.slice(0, 12)) console.info(`         ${line}`)
  if (broken.length > 12) console.info(`         … and ${broken.length - 12} more`)
}

async function play(stage: Stage, { id, title, run }: Program): Promise<Outcome> {
  const since = performance.now()
  const own = await run(stage).catch((error: Error) => [`${id} could not be played: ${error.stack}`])
  const tookMs = performance.now() - since
  const verdict = await settle(stage)
  const outcome = { id, title, broken: [...own, ...verdict.broken] }
  tell(outcome, tookMs, verdict.tookMs)
  return outcome
}

async function playChapter(stage: Stage, forMs: number): Promise<Outcome> {
  let played: string[] = []
  const run = async () => {
    played = await playRandomly(stage, forMs, 50)
    return []
  }
  const outcome = await play(stage, { id: 'soak', title: 'random faults', run })
  console.info(`         ${played.join(', ')}`)
  return outcome
}

async function soak(stage: Stage): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const until = performance.now() + soakMs
  for (let chapter = 1; performance.now() < until; chapter++) {
    outcomes.push(await playChapter(stage, Math.min(until - performance.now(), chapterMs)))
    if (chapter % chaptersToFreeze === 0 && performance.now() < until)
      outcomes.push(await play(stage, stage.chance.pick(freezes)))
  }
  return outcomes
}

async function playAll(stage: Stage): Promise<Outcome[]> {
  await enter(stage.fleet, stage.world.people.slice(0, inFleet))
  const outcomes: Outcome[] = []
  for (const program of programs.filter(isPlayed)) outcomes.push(await play(stage, program))
  return [...outcomes, ...(soakMs > 0 && (!chosen || chosen.includes('soak')) ? await soak(stage) : [])]
}

function figures(sent: number, played: number): Figure[] {
  const note = `seed ${seed}, ${values.minutes} minutes of random faults, ${played} times all was counted`
  return [
    { id: 'R1.sent', value: sent, target: 'told, not set', note },
    { id: 'R1.lost', value: totals.lost, target: '0', note },
    { id: 'R1.duplicated', value: totals.duplicated, target: '0', note },
  ]
}

console.info(`seed ${seed}`)
const since = performance.now()
const world = await startWorld(peopleCount)
const stage = createStage(world)
let ending: Promise<void> | undefined
function tidy(): Promise<void> {
  ending ??= stage.fleet.close().then(world.stop)
  return ending
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void tidy().finally(() => process.exit(130)))

try {
  const outcomes = await playAll(stage)
  report('faults', figures(stage.ledger.size(), outcomes.length))
  const broken = outcomes.filter((outcome) => outcome.broken.length > 0)
  console.info(
    `${outcomes.length - broken.length} of ${outcomes.length} held, ${Math.round((performance.now() - since) / 1000)} s`,
  )
  if (broken.length > 0) {
    for (const {
      id,
      title,
      broken: [first],
    } of broken)
      console.info(`broken: ${id} ${title}: ${first}`)
    console.info(`again with --seed ${seed}`)
    process.exitCode = 1
  }
} finally {
  await tidy()
}
process.exit()
