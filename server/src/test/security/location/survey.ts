import { randomUUID } from 'node:crypto'
import { distanceFilters } from '@duet/contract/limits.ts'
import { cellToLatLng, greatCircleDistance, UNITS } from 'h3-js'
import { rounds } from '../../../../../tools/tier.ts'
import { newToken } from '../../../platform/security/session.ts'
import { startTestApp, type TestApp } from '../../app.ts'
import { type Caller, caller, person } from '../../people.ts'
import { putNewcomer } from '../newcomers.ts'
import { rowsOf } from '../rows.ts'
import { sybilRays } from './attackers.ts'
import type { Oracle, Scheme } from './oracle.ts'
import type { Plane, Point } from './plane.ts'

/** The steps to which Duet rounds a displayed distance, in km. */
const buckets = [2, 5, 10, 25, 50, 100]

/**
 * Duet's published scheme: both people are moved to the centre of their cell, and the distance between the centres is
 * rounded to a bucket.
 */
export function publishedScheme({ cell }: Plane): Scheme {
  const known = new Map<string, Map<string, number>>()
  const bucketOf = (at: string, target: string) => {
    const km = greatCircleDistance(cellToLatLng(at), cellToLatLng(target), UNITS.km)
    return (buckets.find((bound) => km < bound) ?? Number.POSITIVE_INFINITY) * 1_000
  }
  return {
    placeOf: cell,
    shown: (at, target) => {
      const row = known.get(String(at)) ?? new Map<string, number>()
      const shown = row.get(String(target)) ?? bucketOf(String(at), String(target))
      known.set(String(at), row.set(String(target), shown))
      return shown
    },
  }
}

export interface Guest extends Caller {
  id: string
}

export interface Hall {
  app: TestApp
  join(gender: 'woman' | 'man', at: { latitude: number; longitude: number }): Promise<Guest>
  close(): Promise<void>
}

export async function openHall(): Promise<Hall> {
  const app = await startTestApp()
  const rows = await rowsOf(app)
  await person(app, { name: 'Model' })
  return {
    app,
    join: async (gender, at) => {
      const [id, token] = [randomUUID(), newToken()]
      await putNewcomer(rows, app.clock, { id, token, session: randomUUID(), name: 'Jun', gender })
      const guest = { id, ...caller(app.url, token) }
      await move(guest, at)
      return guest
    },
    close: async () => {
      await rows.close()
      await app.close()
    },
  }
}

export type Listed = Map<string, { km: number | null; place: number }>

export async function listAll(viewer: Caller): Promise<Listed> {
  const listed: Listed = new Map()
  let cursor: string | undefined
  do {
    const query = { limit: 50, ...(cursor && { cursor }) }
    const { status, body } = await viewer.call('GET /api/user/nearBy', { query })
    if (status !== 200) throw new Error(`nearBy: ${JSON.stringify(body)}`)
    for (const { id, distanceKm } of body.users) listed.set(id, { km: distanceKm, place: listed.size })
    cursor = body.nextCursor ?? undefined
  } while (cursor)
  return listed
}

export async function move(who: Caller, place: { latitude: number; longitude: number }): Promise<void> {
  const { status, body } = await who.call('PATCH /api/user/updateLocation', { body: place })
  if (status !== 200) throw new Error(`updateLocation: ${JSON.stringify(body)}`)
}

async function share<W, T>(workers: readonly W[], items: readonly T[], work: (worker: W, item: T) => Promise<void>) {
  const queue = [...items]
  await Promise.all(
    workers.map(async (worker) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(worker, item)
    }),
  )
}

const centre = (cell: string) => {
  const [latitude, longitude] = cellToLatLng(cell)
  return { latitude, longitude }
}

function cellsWithin(plane: Plane, metres: number): string[] {
  const cells = new Set<string>()
  for (let x = -metres; x <= metres; x += 400)
    for (let y = -metres; y <= metres; y += 400) cells.add(plane.cell({ x, y }))
  return [...cells]
}

const onRays = (plane: Plane): string[] => {
  const steps = Array.from({ length: sybilRays.longest / 10 + 1 }, (_, n) => n * 10)
  return [...new Set(sybilRays.anchors.flatMap((from) => steps.map((m) => plane.cell(sybilRays.eastOf(from, m)))))]
}

export interface Survey {
  /** The list of people seen from each cell. */
  listedFrom: ReadonlyMap<string, Listed>
  /** Answers an attacker's queries about a person from the app's recorded responses. */
  about(victimId: string): Oracle
}

/**
 * Makes every query an attacker could, from every cell of a city: who is listed at which distance, who disappears with
 * which filter, and who comes before the attacker's own accounts (women; the victims are men). Rate limits are off, as
 * if the attacker had unlimited accounts and time.
 */
export async function survey({ join }: Hall, plane: Plane, filterPlaces: readonly Point[]): Promise<Survey> {
  const sybilCells = onRays(plane)
  const sybils = new Map<string, string>()
  await share([0, 1], sybilCells, async (_, cell) => {
    sybils.set(cell, (await join('woman', centre(cell))).id)
  })
  const walkers = [await join('woman', centre(sybilCells[0]!)), await join('woman', centre(sybilCells[1]!))]
  for (const { call } of walkers) await call('PATCH /api/user/updateUser', { body: { interestedIn: ['man'] } })
  const listedFrom = new Map<string, Listed>()
  await share(walkers, cellsWithin(plane, 15_000), async (walker, cell) => {
    await move(walker, centre(cell))
    listedFrom.set(cell, await listAll(walker))
  })
  const orders = await ordersFrom(join, plane)
  const filtered = await filteredFrom(walkers, plane, filterPlaces)
  const scheme = publishedScheme(plane)
  const at = <V>(answers: ReadonlyMap<string, V>, point: Point): V => {
    const answer = answers.get(plane.cell(point))
    if (answer === undefined) throw new Error('no one was asked there')
    return answer
  }
  return {
    listedFrom,
    about: (victimId) => ({
      scheme,
      distance: (point) => (at(listedFrom, point).get(victimId)?.km ?? Number.POSITIVE_INFINITY) * 1_000,
      radii: distanceFilters.map((km) => km * 1_000),
      isWithin: (point, radius) =>
        at(filtered, point)
          .get(radius / 1_000)
          ?.has(victimId) ?? false,
      isBefore: (point, sybil) => {
        const sybilId = at(sybils, sybil)
        const before = at(orders, point).filter((list) => comesBefore(list, victimId, sybilId))
        return before.length * 2 > at(orders, point).length
      },
    }),
  }
}

function comesBefore(list: Listed, one: string, other: string): boolean {
  const last = Number.POSITIVE_INFINITY
  return (list.get(one)?.place ?? last) < (list.get(other)?.place ?? last)
}

/**
 * The order in which accounts see people from each anchor. Each account sees its own order, so a majority of several
 * decides.
 */
async function ordersFrom(join: Hall['join'], plane: Plane): Promise<Map<string, Listed[]>> {
  const orders = new Map<string, Listed[]>()
  for (const anchor of sybilRays.anchors) {
    const lists: Listed[] = []
    for (let n = 0; n < rounds(1, 1, 5); n++) lists.push(await listAll(await join('woman', plane.place(anchor))))
    orders.set(plane.cell(anchor), lists)
  }
  return orders
}

async function filteredFrom(walkers: Guest[], plane: Plane, places: readonly Point[]) {
  const filtered = new Map<string, Map<number, Set<string>>>()
  const cells = [...new Set(places.map((point) => plane.cell(point)))]
  await share(walkers, cells, async (walker, cell) => {
    await move(walker, centre(cell))
    const byFilter = new Map<number, Set<string>>()
    for (const maxDistanceKm of distanceFilters) {
      await walker.call('PATCH /api/user/updateUser', { body: { maxDistanceKm } })
      byFilter.set(maxDistanceKm, new Set((await listAll(walker)).keys()))
    }
    filtered.set(cell, byFilter)
  })
  return filtered
}
