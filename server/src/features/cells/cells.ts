import {
  cellArea,
  cellToLatLng,
  cellToParent,
  edgeLength,
  greatCircleDistance,
  gridDiskDistances,
  latLngToCell,
  originToDirectedEdges,
  UNITS,
} from 'h3-js'
import { LRUCache } from 'lru-cache'

/** Resolution 7: about 5.2 km² a cell. All people in a cell are at its centre, as far as anything outside this file knows. */
const resolution = 7
/** Where cells of resolution 7 are smaller than this in km² (a twentieth of the globe), people are in those of resolution 6. */
const leastKm2 = 4
const coarseResolution = 6
/** Cells in one of the next lower resolution. */
const children = 7
/**
 * Resolution 5, about 250 km² a cell: what a search for candidates walks through, and where a person who hides their distance
 * is in the middle of.
 */
const wideResolution = 5
/** How far beyond the centre of a cell one still belongs to it, in edge lengths of that cell. */
const hysteresis = 1.1

/** A place after snapping. `latitude` and `longitude` are the centre of the cell, in degrees. */
export interface Snapped {
  cell: string
  latitude: number
  longitude: number
}

export function centreOf(cell: string): Snapped {
  const [latitude, longitude] = cellToLatLng(cell)
  return { cell, latitude, longitude }
}

/** Mean edge length of this very cell in km: cells differ by up to a factor of two over the globe. */
export function edgeKm(cell: string): number {
  const edges = originToDirectedEdges(cell).map((edge) => edgeLength(edge, UNITS.km))
  return edges.reduce((sum, length) => sum + length, 0) / edges.length
}

/** The centre of the wide cell around a cell. */
export function wideCentreOf(cell: string): Snapped {
  return centreOf(cellToParent(cell, wideResolution))
}

/**
 * The point from which a person's distances are measured. A person who hides their distance uses the point where others
 * see them, so that both people of a pair have one distance: if one may like, the other may too.
 */
export const viewpointOf = (cell: string, hidesDistance: boolean): Snapped =>
  hidesDistance ? wideCentreOf(cell) : centreOf(cell)

/**
 * The cell in which a person is placed. It is decided by the coarse cell around it, so that all cells in that one are
 * joined or none: a cell of which only a part is used would tell more than its size.
 */
function publishable(cell: string): string {
  const coarse = cellToParent(cell, coarseResolution)
  return cellArea(coarse, UNITS.km2) < leastKm2 * children ? coarse : cell
}

/**
 * Snaps coordinates (degrees) to a cell. A person who stays within 1.1 edge lengths of the old cell's centre keeps the old
 * cell, so that a home at a border does not flicker between two cells, which would tell where the border runs past it.
 */
export function snap(latitude: number, longitude: number, oldCell?: string): Snapped {
  // A cell that was finer than cells may be here is left for the one around it.
  const old = oldCell && publishable(oldCell)
  if (old) {
    const distance = greatCircleDistance([latitude, longitude], cellToLatLng(old), UNITS.km)
    if (distance <= hysteresis * edgeKm(old)) return centreOf(old)
  }
  return centreOf(publishable(latLngToCell(latitude, longitude, resolution)))
}

/** How far from the centre of a wide cell the centre of a cell in it may be, in edge lengths; a tenth is for uneven cells. */
const wideReach = 1.2

function findWideRings(cell: string, km: number): string[][] {
  const origin = cellToParent(cell, wideResolution)
  const edge = edgeKm(origin)
  const here = cellToLatLng(cell)
  // Rings of a hexagonal grid are sqrt(3)/2 of the distance between centres apart; a tenth is left for uneven cells.
  const rings = Math.ceil((km / (edge * Math.sqrt(3)) + 1) / (0.9 * 0.866))
  const isWithin = (wide: string) => greatCircleDistance(here, cellToLatLng(wide), UNITS.km) <= km + wideReach * edge
  return gridDiskDistances(origin, rings).map((ring) =>
    ring.filter(isWithin).map((index) => BigInt(`0x${index}`).toString()),
  )
}

const found = new LRUCache<string, string[][]>({ max: 500 })

/**
 * The wide cells that hold everything within `km` of a cell's centre, as numbers written in decimal; those equally many
 * steps away together, nearest first.
 */
export function wideRingsAround(cell: string, km: number): readonly (readonly string[])[] {
  const key = `${cell} ${km}`
  const rings = found.get(key) ?? findWideRings(cell, km)
  found.set(key, rings)
  return rings
}

/** The same cells in one list. */
export const wideCellsAround = (cell: string, km: number): readonly string[] => wideRingsAround(cell, km).flat()
