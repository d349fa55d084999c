import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { by } from '@duet/contract/order.ts'
import type pg from 'pg'
import { keepFiles } from '../features/photos/photo-files.ts'
import { addKept } from '../features/photos/photos.ts'
import { findViewpoint, updateLocation } from '../features/places/places.ts'
import { after, type Clock, days, hours, seconds } from '../platform/clock.ts'
import { withLock } from '../platform/database/advisory-lock.ts'
import type { Platform } from '../platform/platform.ts'
import { transaction } from '../platform/transaction.ts'
import {
  addPastMessage,
  areDemo,
  countDemoPeople,
  countNear,
  findPassword,
  findUndrawn,
  findUnplaced,
  freeIdle,
  insertPerson,
  setPassword,
  show,
} from './demo.queries.ts'
import { openStudio, type Studio } from './drawing.ts'
import { type DemoPerson, demoPeople, guestId, guestNumber } from './people.ts'

const guest = { name: 'Alex', email: 'demo@duet.example', latitude: 52.52, longitude: 13.405 }
/** The share of characters without a location that are placed near the guest, and near each newcomer. */
const share = { guest: 0.25, newcomer: 0.6 }
/** Each newcomer gets at least this many characters, as long as enough unused ones remain. */
const fewestFree = 60

function cast(): DemoPerson[] {
  return demoPeople().map((person, number) =>
    number === guestNumber ? { ...person, name: guest.name, email: guest.email } : person,
  )
}

function birthDateOf({ age, days: since }: DemoPerson, now: Date): string {
  const birthday = after(now, -days(since + 1))
  birthday.setUTCFullYear(birthday.getUTCFullYear() - age)
  return birthday.toISOString().slice(0, 10)
}

async function insertCast(platform: Platform): Promise<void> {
  const people = cast()
  if ((await countDemoPeople(platform.db)) >= people.length) return
  const now = platform.clock.now()
  await transaction(platform, async (tx) => {
    for (const person of people) await insertPerson(tx.db, person, birthDateOf(person, now), now)
  })
}

async function drawPerson(platform: Platform, studio: Studio, person: DemoPerson): Promise<void> {
  const kept: Parameters<typeof addKept>[2] = []
  for (const look of person.looks) {
    const photo = await studio.draw(look)
    const alt = `A drawn portrait of ${person.name}`
    kept.push({ fileName: await keepFiles(platform, photo), photo, state: 'approved' as const, alt })
  }
  await transaction(platform, async (tx) => {
    // Another process may have drawn the same character in the meantime.
    if (await show(tx.db, person.id)) await addKept(tx, person.id, kept)
  })
}

async function drawCast(platform: Platform, signal: AbortSignal): Promise<void> {
  const undrawn = await findUndrawn(platform.db)
  if (undrawn.size === 0) return
  const studio = openStudio()
  const stop = () => studio.close()
  signal.addEventListener('abort', stop)
  try {
    const people = cast().filter(({ id }) => undrawn.has(id))
    people.sort(by(({ id }) => id !== guestId()))
    for (const person of people) {
      if (signal.aborted) return
      await drawPerson(platform, studio, person)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stop)
    studio.close()
  }
}

function pointAround(latitude: number, longitude: number, km: number, direction: number) {
  const north = (km / 111.2) * Math.cos(direction)
  const east = ((km / 111.2) * Math.sin(direction)) / Math.max(0.1, Math.cos((latitude * Math.PI) / 180))
  const wrapped = ((longitude + east + 540) % 360) - 180
  return { latitude: Math.max(-89, Math.min(89, latitude + north)), longitude: wrapped }
}

/**
 * Places characters that have no location 1 to 60 km from a point, most of them close to it. If few are left, moves
 * some whom nobody has met. Does nothing if enough characters already live there.
 */
export async function placeAround(
  platform: Platform,
  latitude: number,
  longitude: number,
  part: number = share.newcomer,
): Promise<void> {
  if ((await countNear(platform.db, { latitude, longitude })) >= 20) return
  const unplaced = await findUnplaced(platform.db, guestId())
  const lacking = Math.max(0, fewestFree - unplaced.length)
  const free = [...unplaced, ...(lacking > 0 ? await freeIdle(platform.db, guestId(), lacking) : [])]
  for (const [index, id] of free.slice(0, Math.ceil(free.length * part)).entries()) {
    const far = ((index * 0.618) % 1) ** 2
    const point = pointAround(latitude, longitude, 1 + 59 * far, index * 2.4)
    await updateLocation(platform, id, point)
  }
}

export async function welcome(platform: Platform, userId: string): Promise<void> {
  if ((await areDemo(platform.db, [userId])).has(userId)) return
  const place = await findViewpoint(platform, userId)
  if (place) await placeAround(platform, place.latitude, place.longitude)
}

/** The guest's past chats. The profiles of these characters also mention the goat and the Sunday walks. */
export const past: { with: number; hoursAgo: number; lines: string[]; unread?: true }[] = [
  {
    with: 69,
    hoursAgo: 52,
    lines: [
      '> Is the goat real?',
      'Very. Her name is Margot and she hates umbrellas.',
      '> Then we have something in common.',
      'You and I, or you and Margot?',
      '> I would have to meet both to say.',
    ],
  },
  {
    with: 9,
    hoursAgo: 27,
    lines: [
      'Hello! Those enormous leaves in your photo: is that the palm house?',
      '> It is! I go there every February to remember what warm is.',
      'So do I. My glasses fog up and I walk into a banana tree.',
    ],
  },
  {
    with: 24,
    hoursAgo: 3,
    unread: true,
    lines: [
      '> You said Sunday is for long walks. Where do you go?',
      'Along the canal until there is cake. Come and check the cake part?',
    ],
  },
]

/** Inserts the guest's chats, the newest with an unread reply. Lines that start with > are the guest's. */
async function writePast(platform: Platform): Promise<void> {
  const people = cast()
  const me = guestId()
  await transaction(platform, async (tx) => {
    for (const { with: number, hoursAgo, lines, unread } of past) {
      const other = (people[number] as DemoPerson).id
      for (const [index, line] of lines.entries()) {
        const mine = line.startsWith('> ')
        const at = after(platform.clock.now(), -hours(hoursAgo) + index * 240_000)
        const [from, to] = mine ? [me, other] : [other, me]
        const read = !(unread && index === lines.length - 1)
        await addPastMessage(tx.db, { from, to, id: `past-${index}`, text: line.replace(/^> /, ''), at, read })
      }
    }
  })
}

async function keptPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'demo-password')
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (kept.length >= 12) return kept
  const made = randomBytes(9).toString('base64url')
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, `${made}\n`, { mode: 0o600 })
  return made
}

/** Signs in the guest, for trying Duet without an account; the guest's account is created on first use. */
export async function demoSignIn(platform: Platform): Promise<{ email: string; password: string }> {
  const password = await keptPassword(platform.config.dataDir)
  const id = guestId()
  if (!(await findPassword(platform.db, id))) {
    await updateLocation(platform, id, { latitude: guest.latitude, longitude: guest.longitude })
    await placeAround(platform, guest.latitude, guest.longitude, share.guest)
    await writePast(platform)
    // Delayed, so that some nearby characters have portraits by then.
    await platform.jobs.add('welcome-to-demo', { userId: id }, { runAt: after(platform.clock.now(), seconds(60)) })
    await setPassword(platform.db, id, await platform.hasher.hash(password))
  }
  return { email: guest.email, password }
}

export interface DemoWorld {
  greeting(): Promise<string[]>
  drawn: Promise<void>
  stop(): Promise<void>
}

export async function seedDemoWorld(platform: Platform, locks: pg.Pool = platform.pool): Promise<DemoWorld> {
  await insertCast(platform)
  const { email, password } = await demoSignIn(platform)
  const stopping = new AbortController()
  // Only one process draws at a time; if it exits early, another takes over.
  const drawing = () => drawCast(platform, stopping.signal)
  const drawn = withLock(locks, 'demo-drawing', drawing, stopping.signal).catch((err: unknown) => {
    if (!stopping.signal.aborted) platform.log.error({ err }, 'not all demo portraits could be drawn')
  })
  return {
    greeting: async () => [`Try it as ${guest.name}: ${email} with the password ${password}`],
    drawn,
    stop: async () => {
      stopping.abort()
      await drawn
    },
  }
}

/** About one character in five is online at a time, for about 15 minutes. */
export function demoOnline(clock: Clock): (userId: string) => boolean {
  let slot = -1
  let online = new Set<string>()
  return (userId) => {
    const current = Math.floor(clock.now().getTime() / 900_000)
    if (current !== slot) {
      slot = current
      online = new Set(demoPeople().flatMap(({ id }, number) => ((number * 7 + slot) % 5 === 0 ? [id] : [])))
      online.delete(guestId())
    }
    return online.has(userId)
  }
}
