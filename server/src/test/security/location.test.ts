import { cellArea, cellToLatLng, gridDisk, UNITS } from 'h3-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds, tier } from '../../../../tools/tier.ts'
import { snap } from '../../features/cells/cells.ts'
import type { Caller } from '../people.ts'
import { noteFigure } from './figures.ts'
import { attackers, filterPlaces } from './location/attackers.ts'
import { eliminate, knowing } from './location/elimination.ts'
import { controls } from './location/oracle.ts'
import { type City, dice, metresBetween, type Plane, type Point, planeOf, quantile } from './location/plane.ts'
import { type Guest, type Hall, listAll, move, openHall, type Survey, survey } from './location/survey.ts'

const targets = { medianM: 750, p5M: 180, areaShare: 0.95, areaAfterMove: 0.9 }

const newYork = { name: 'New York', latitude: 40.71, longitude: -74 }
// One of the places where cells of resolution 7 are smallest.
const seoul = { name: 'Seoul', latitude: 37.5665, longitude: 126.978 }
const cities: City[] =
  tier === 'release'
    ? [
        newYork,
        { name: 'Lisbon', latitude: 38.7223, longitude: -9.1393 },
        { name: 'Berlin', latitude: 52.52, longitude: 13.405 },
        { name: 'São Paulo', latitude: -23.55, longitude: -46.63 },
        { name: 'Mumbai', latitude: 19.07, longitude: 72.87 },
        seoul,
      ]
    : [newYork]
const perCity = rounds(30, 30, 100)

const everyAttacker = { ...attackers, ...knowing }
const random = dice(20_260_713)
const somewhere = (reach: number): Point => ({ x: (random() - 0.5) * reach, y: (random() - 0.5) * reach })

interface Victim {
  who: Guest
  point: Point
}
interface Town {
  plane: Plane
  victims: Victim[]
  found: Survey
}

let hall: Hall
const towns: Town[] = []
beforeAll(async () => {
  hall = await openHall()
  if (tier === 'quick') return
  for (const city of cities) towns.push(await settle(city))
}, 900_000)
afterAll(() => hall.close())

async function settle(city: City): Promise<Town> {
  const plane = planeOf(city)
  const points = Array.from({ length: perCity }, () => somewhere(14_000))
  const victims: Victim[] = []
  const settleNext = async () => {
    for (let point = points.pop(); point; point = points.pop())
      victims.push({ point, who: await hall.join('man', plane.place(point)) })
  }
  await Promise.all([settleNext(), settleNext()])
  return { plane, victims, found: await survey(hall, plane, filterPlaces) }
}

describe('controls', () => {
  const broken: string[] = []
  it.each(Object.entries(controls))(
    'The same attackers break %s.',
    { tags: 'more-in-release' },
    (name, { about, within }) => {
      const medians = Object.entries(attackers).map(([attacker, attack]) => {
        const errors = Array.from({ length: 5 }, () => {
          const victim = somewhere(14_000)
          return metresBetween(attack(about(victim, random), random), victim)
        })
        return { attacker, median: quantile(errors, 0.5) }
      })
      const best = medians.reduce((a, b) => (b.median < a.median ? b : a))
      expect(best.median, `best: ${best.attacker}`).toBeLessThanOrEqual(within)
      broken.push(name)
    },
  )

  it.each(['elimination', 'bayes'] as const)(
    'The attacker %s sees through rounded distances.',
    { tags: ['long', 'more-in-release'] },
    (name) => {
      const errors = Array.from({ length: 9 }, () => {
        const victim = somewhere(14_000)
        return metresBetween(knowing[name](controls['distance rounded to 1 km'].about(victim), random), victim)
      })
      expect(quantile(errors, 0.5)).toBeLessThanOrEqual(100)
    },
  )

  afterAll(() => noteFigure('R2.controls_broken', broken.length, `of ${Object.keys(controls).length}`))
})

describe('a person on Duet', { tags: ['long', 'more-in-release'] }, () => {
  it('A person on Duet can’t be located more precisely than a cell.', () => {
    const results = Object.entries(everyAttacker).map(([attacker, attack]) => {
      const errors = towns.flatMap(({ victims, found }) =>
        victims.map(({ who, point }) => metresBetween(attack(found.about(who.id), random), point)),
      )
      return { attacker, median: quantile(errors, 0.5), p5: quantile(errors, 0.05) }
    })
    const best = results.reduce((a, b) => (b.median < a.median ? b : a))
    const note = results
      .map(({ attacker, median, p5 }) => `${attacker} ${median.toFixed(0)}/${p5.toFixed(0)}`)
      .join(', ')
    noteFigure('R2.median_m', Math.round(best.median), `best of ${note}; ${towns.length * perCity} victims`)
    noteFigure('R2.p5_m', Math.round(best.p5), `of ${best.attacker}`)
    expect(best.median, note).toBeGreaterThanOrEqual(targets.medianM)
    expect(best.p5, note).toBeGreaterThanOrEqual(targets.p5M)
  }, 900_000)

  it('An attacker who knows the scheme and queries from everywhere still can’t narrow a person down within their cell.', () => {
    const shares = towns.flatMap(({ plane, victims, found }) =>
      victims.map(({ who, point }) => eliminate(found.about(who.id)).km2 / cellArea(plane.cell(point), UNITS.km2)),
    )
    noteFigure('R2.area_left', Math.round(1000 * Math.min(...shares)) / 1000, 'least share of the cell that is left')
    // Candidates are 100 m apart, so counting them gives the area within about one percent.
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(targets.areaShare)
  }, 900_000)

  it('A person who has just moved to the next cell can still be in nine tenths of it.', () => {
    const shares = Array.from({ length: rounds(10, 10, 100) }, () => {
      const { latitude, longitude } = planeOf(newYork).place(somewhere(60_000))
      const { cell } = snap(latitude, longitude)
      const [, next = ''] = gridDisk(cell, 1)
      const [lat, lng] = cellToLatLng(next)
      const plane = planeOf({ name: next, latitude: lat, longitude: lng })
      const inside = Array.from({ length: 600 }, () => somewhere(4_000)).filter((point) => plane.cell(point) === next)
      const moved = inside
        .map((point) => plane.place(point))
        .filter((at) => snap(at.latitude, at.longitude, cell).cell === next)
      return moved.length / inside.length
    })
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(targets.areaAfterMove)
  })
})

describe('an attacker’s answers', { tags: ['long', 'more-in-release'] }, () => {
  const seen = (listed: Map<string, { km: number | null }>, ids: string[]) =>
    Object.fromEntries(ids.map((id) => [id, listed.get(id)?.km ?? null]))

  it('An attacker’s answers don’t depend on the position within a cell, the way there or the account.', async () => {
    for (const { plane, victims, found } of towns) {
      const ids = victims.map(({ who }) => who.id)
      const walker = await hall.join('woman', plane.place({ x: 0, y: 90_000 }))
      for (let n = 0; n < rounds(3, 3, 30); n++) {
        const point = somewhere(26_000)
        const expected = seen(found.listedFrom.get(plane.cell(point)) ?? new Map(), ids)
        const newcomer = await hall.join('woman', plane.place(point))
        expect(seen(await listAll(newcomer), ids)).toEqual(expected)
        await move(walker, plane.place({ x: 0, y: 90_000 }))
        await move(walker, plane.place(point))
        expect(seen(await listAll(walker), ids)).toEqual(expected)
        await expectPages(newcomer, ids.slice(0, 6), expected)
      }
    }
  }, 600_000)

  async function expectPages(viewer: Caller, ids: string[], expected: Record<string, number | null>): Promise<void> {
    for (const id of ids) {
      const { status, body } = await viewer.call('GET /api/user/:id', { params: { id } })
      expect([status, body.distanceKm]).toEqual([200, expected[id]])
    }
    const { cards } = (await viewer.call('GET /api/deck')).body
    for (const { id, distanceKm } of cards) if (id in expected) expect(distanceKm).toBe(expected[id])
  }

  it('An attacker’s answers stay the same however often they ask.', async () => {
    const [{ plane }] = towns as [Town]
    const viewer = await hall.join('woman', plane.place({ x: 1_234, y: -4_321 }))
    const texts = new Set<string>()
    for (let n = 0; n < rounds(20, 20, 200); n++)
      texts.add(JSON.stringify((await viewer.call('GET /api/user/nearBy', { query: { limit: 50 } })).body))
    expect(texts.size).toBe(1)
  })

  it('An attacker’s list is ordered by bucket, and within a bucket independently of distance.', async () => {
    const [{ plane, victims }] = towns as [Town]
    const viewer = await hall.join('woman', plane.place({ x: 0, y: 0 }))
    const listed = [...(await listAll(viewer))].map(([id, { km }]) => ({ id, km: km ?? Number.POSITIVE_INFINITY }))
    expect(listed.map(({ km }) => km)).toEqual(listed.map(({ km }) => km).sort((a, b) => a - b))
    const known = new Map(victims.map(({ who, point }) => [who.id, metresBetween(point, { x: 0, y: 0 })]))
    const near = listed.flatMap(({ id, km }) => (km === 10 ? (known.get(id) ?? []) : []))
    const rising = near.filter((metres, n) => n > 0 && metres > near[n - 1]!).length / (near.length - 1)
    expect(near.length).toBeGreaterThan(10)
    expect(rising).toBeGreaterThan(0.15)
    expect(rising).toBeLessThan(0.85)
  })
})
