import { createHash } from 'node:crypto'
import { interestIds } from '@duet/contract/catalogue.ts'
import { cellToLatLng, latLngToCell } from 'h3-js'
import { after, days } from '../../platform/clock.ts'
import type { Db } from '../../platform/database.ts'
import { hashToken, lifeOf, newToken } from '../../platform/session.ts'
import { origins } from './names.ts'
import { analyze, insertBatch, insertSessions, type MadeUp } from './population.queries.ts'
import { beginnings, ends } from './words.ts'

const batchSize = 5_000
// Name, degrees, and how many of a hundred people live around it.
const cities: [area: string, latitude: number, longitude: number, share: number][] = [
  ['Tokyo', 35.69, 139.69, 16],
  ['Delhi', 28.65, 77.23, 14],
  ['São Paulo', -23.55, -46.64, 12],
  ['Cairo', 30.06, 31.25, 11],
  ['London', 51.51, -0.13, 11],
  ['Mexico City', 19.43, -99.13, 10],
  ['Lagos', 6.45, 3.39, 9],
  ['Berlin', 52.52, 13.41, 7],
  ['Madrid', 40.42, -3.7, 6],
  ['Nairobi', -1.28, 36.82, 4],
]

/** Numbers in [0, 1) that follow from a start: the same every time (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function idOf(seed: number, number: number): string {
  const hex = createHash('md5').update(`duet seed ${seed} ${number}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

function placeOf(random: () => number) {
  const draw = random() * 100
  let passed = 0
  const city = cities.find(([, , , share]) => {
    passed += share
    return draw < passed
  })
  const [area, latitude, longitude] = city as (typeof cities)[0]
  // About 12 km around the centre, as a normal distribution.
  const far = (Math.sqrt(-2 * Math.log(1 - random())) * 12) / 111.2
  const direction = random() * 2 * Math.PI
  const east = (far * Math.sin(direction)) / Math.cos((latitude * Math.PI) / 180)
  const cell = latLngToCell(latitude + far * Math.cos(direction), longitude + east, 7)
  const [centreLatitude, centreLongitude] = cellToLatLng(cell)
  return { area, cell, latitude: centreLatitude, longitude: centreLongitude }
}

function madeUp(seed: number, number: number, now: Date): MadeUp {
  const random = randomFrom(seed * 1_000_003 + number)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const origin = pick(origins)
  const draw = random()
  const [gender, names] =
    draw < 0.47 ? ['woman', origin.women] : draw < 0.94 ? ['man', origin.men] : ['nonbinary', origin.both]
  return {
    id: idOf(seed, number),
    email: `seed-${seed}-${number}@duet.example`,
    name: pick((names as string).split(' ')),
    birth_date: after(now, -days(Math.floor((19 + random() ** 1.6 * 50) * 365.25)))
      .toISOString()
      .slice(0, 10),
    gender: gender as string,
    bio: `${pick(beginnings)} ${pick(ends)}`,
    interest: pick(interestIds),
    ...placeOf(random),
  }
}

/** Writes `count` made-up people, the same for the same `seed`; who is there already is left alone. */
export async function seedPeople(db: Db, count: number, seed: number, onBatch: (done: number) => void): Promise<void> {
  const now = new Date()
  for (let start = 0; start < count; start += batchSize) {
    const size = Math.min(batchSize, count - start)
    await insertBatch(
      db,
      Array.from({ length: size }, (_, i) => madeUp(seed, start + i, now)),
      now,
    )
    onBatch(start + size)
  }
  await analyze(db)
}

/** Signs the first `count` made-up people of a seed in, and returns their tokens. */
export async function seedSessions(db: Db, count: number, seed: number) {
  const now = new Date()
  const tokens = Array.from({ length: count }, (_, number) => ({ id: idOf(seed, number), token: newToken() }))
  const rows = tokens.map(({ id, token }) => ({ id, tokenHash: hashToken(token) }))
  const found = await insertSessions(db, rows, now, after(now, lifeOf(false).idle))
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return tokens.map(({ id, token }) => ({ id, name: names.get(id) ?? '', token }))
}
