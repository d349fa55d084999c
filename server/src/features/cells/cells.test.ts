import fc from 'fast-check'
import {
  cellArea,
  cellToBoundary,
  cellToChildren,
  cellToLatLng,
  cellToParent,
  getResolution,
  greatCircleDistance,
  latLngToCell,
  UNITS,
} from 'h3-js'
import { describe, expect, it } from 'vitest'
import { centreOf, edgeKm, snap, wideCellsAround } from './cells.ts'

const somewhere = fc.record({
  latitude: fc.double({ min: -75, max: 75, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
const radians = (degrees: number) => (degrees * Math.PI) / 180

/**
 * The point `km` away in a direction (radians), computed on a flat map, which is accurate enough for a few kilometres.
 */
function moved({ latitude, longitude }: { latitude: number; longitude: number }, km: number, direction: number) {
  return {
    latitude: latitude + (km * Math.cos(direction)) / 111.2,
    longitude: longitude + (km * Math.sin(direction)) / (111.2 * Math.cos(radians(latitude))),
  }
}

describe('snapping', () => {
  it('snapping returns the centre of the cell with the point, or of the coarser cell around it', () => {
    fc.assert(
      fc.property(somewhere, ({ latitude, longitude }) => {
        const snapped = snap(latitude, longitude)
        const fine = latLngToCell(latitude, longitude, 7)
        expect([fine, cellToParent(fine, 6)]).toContain(snapped.cell)
        expect(snapped).toEqual(centreOf(snapped.cell))
      }),
    )
  })

  it('everyone in a cell gets exactly the same place', () => {
    fc.assert(
      fc.property(
        somewhere,
        fc.double({ min: 0, max: 0.6, noNaN: true }),
        fc.double({ min: 0, max: 6.28, noNaN: true }),
        (point, share, direction) => {
          const centre = snap(point.latitude, point.longitude)
          const other = moved(centre, share * edgeKm(centre.cell), direction)
          expect(snap(other.latitude, other.longitude)).toEqual(centre)
        },
      ),
    )
  })

  it('the coarser cell is used where finer ones are under 4 km², for all of them or none', () => {
    expect(getResolution(snap(37.5665, 126.978).cell)).toBe(6)
    expect(getResolution(snap(40.71, -74).cell)).toBe(7)
    fc.assert(
      fc.property(somewhere, ({ latitude, longitude }) => {
        const { cell } = snap(latitude, longitude)
        const coarse = cellToParent(latLngToCell(latitude, longitude, 7), 6)
        expect(getResolution(cell)).toBe(cellArea(coarse, UNITS.km2) < 28 ? 6 : 7)
        const around = cellToChildren(coarse, 7).map((child) => snap(...cellToLatLng(child)).cell)
        expect(new Set(around)).toEqual(new Set(getResolution(cell) === 6 ? [cell] : cellToChildren(coarse, 7)))
      }),
    )
  })

  it('a stored finer cell is replaced by the coarser one around it', () => {
    const old = latLngToCell(37.5665, 126.978, 7)
    expect(snap(37.5665, 126.978, old).cell).toBe(cellToParent(old, 6))
  })

  it('guessing the middle of a known cell is off by 750 m or more in the median, even in Seoul', () => {
    for (const [latitude, longitude] of [
      [37.5665, 126.978],
      [39.9, 116.4],
      [40.71, -74],
      [52.52, 13.4],
    ] as const) {
      const errors = Array.from({ length: 3_000 }, (_, n) => {
        const at = { latitude: latitude + (((n * 0.618) % 1) - 0.5) / 5, longitude: longitude + (n / 3_000 - 0.5) / 5 }
        const centre = snap(at.latitude, at.longitude)
        return greatCircleDistance([at.latitude, at.longitude], [centre.latitude, centre.longitude], UNITS.m)
      }).sort((a, b) => a - b)
      expect(errors[1_500], `${latitude}, ${longitude}`).toBeGreaterThanOrEqual(750)
    }
  })

  it('the old cell is kept within 1.1 edge lengths of its centre, and left beyond', () => {
    fc.assert(
      fc.property(somewhere, fc.double({ min: 0, max: 6.28, noNaN: true }), (point, direction) => {
        const { cell, ...centre } = snap(point.latitude, point.longitude)
        const near = moved(centre, 1.08 * edgeKm(cell), direction)
        const far = moved(centre, 1.25 * edgeKm(cell), direction)
        expect(snap(near.latitude, near.longitude, cell).cell).toBe(cell)
        expect(snap(far.latitude, far.longitude, cell).cell).not.toBe(cell)
      }),
    )
  })

  it('a home at a border publishes one cell, however its position jitters', () => {
    fc.assert(
      fc.property(
        somewhere,
        fc.nat({ max: 5 }),
        fc.infiniteStream(
          fc.tuple(fc.double({ min: 0, max: 0.06, noNaN: true }), fc.double({ min: 0, max: 6.28, noNaN: true })),
        ),
        (point, side, jitter) => {
          const boundary = cellToBoundary(snap(point.latitude, point.longitude).cell)
          const [a, b] = [boundary[side % boundary.length], boundary[(side + 1) % boundary.length]] as [
            number,
            number,
          ][]
          if (!a || !b || Math.abs(a[1] - b[1]) > 1) return
          const home = { latitude: (a[0] + b[0]) / 2, longitude: (a[1] + b[1]) / 2 }
          const cells = new Set<string>()
          let cell: string | undefined
          for (let n = 0; n < 100; n++) {
            const { value } = jitter.next()
            const seen = moved(home, value[0], value[1])
            cell = snap(seen.latitude, seen.longitude, cell).cell
            cells.add(cell)
          }
          expect(cells.size).toBe(1)
        },
      ),
      { numRuns: 50 },
    )
  })
})

const wide = (cell: string) => BigInt(`0x${cellToParent(cell, 5)}`).toString()

describe('wide cells', () => {
  it('the wide cells around a cell contain everything within the distance', () => {
    fc.assert(
      fc.property(
        somewhere,
        fc.constantFrom(5, 10, 25, 50, 100),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 6.28, noNaN: true }),
        (point, reach, part, direction) => {
          const { cell, ...centre } = snap(point.latitude, point.longitude)
          const other = moved(centre, part * reach, direction)
          const there = snap(other.latitude, other.longitude)
          if (
            greatCircleDistance([centre.latitude, centre.longitude], [there.latitude, there.longitude], UNITS.km) >
            reach
          )
            return
          expect(wideCellsAround(cell, reach)).toContain(wide(there.cell))
        },
      ),
    )
  })

  it('wide cells come ring by ring, and not many more than the circle needs', () => {
    const cell = latLngToCell(38.72, -9.13, 7)
    const cells = wideCellsAround(cell, 100)
    expect(cells[0]).toBe(wide(cell))
    expect(cells.length).toBeGreaterThan(120)
    expect(cells.length).toBeLessThan(200)
  })
})
