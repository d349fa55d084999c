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

/** Resolution 7: about 5.2 km² per cell. Outside this file, everyone in a cell is at its centre. */
const resolution = 7
/** Where cells of resolution 7 are smaller than this in km² (a twentieth of the globe), resolution 6 is used. */
const leastKm2 = 4
const coarseResolution = 6
/** How many cells are in one of the next coarser resolution. */
const children = 7
/**
 * Resolution 5: about 250 km² per cell. Candidate searches go through these cells, and people who hide their distance
 * are placed at their centre.
 */
const wideResolution = 5
/** How far from its centre a cell is still kept, in edge lengths of that cell. */
const hysteresis = 1.1

/** A snapped place. `latitude` and `longitude` are the centre of the cell, in degrees. */
export interface Snapped {
  cell: string
  latitude: number
  longitude: number
}

export function centreOf(cell: string): Snapped {
  const [latitude, longitude] = cellToLatLng(cell)
  return { cell, latitude, longitude }
}

/** The mean edge length of this cell in km: cells differ by up to a factor of two over the globe. */
export function edgeKm(cell: string): number {
  const edges = originToDirectedEdges(cell).map((edge) => edgeLength(edge, UNITS.km))
  return edges.reduce((sum, length) => sum + length, 0) / edges.length
}

export function wideCentreOf(cell: string): Snapped {
  return centreOf(cellToParent(cell, wideResolution))
}

/**
 * The point from which a person's distances are measured. For people who hide their distance, it is where others see
 * them, so that a pair has one distance: if one may like, so may the other.
 */
export const viewpointOf = (cell: string, hidesDistance: boolean): Snapped =>
  hidesDistance ? wideCentreOf(cell) : centreOf(cell)

/**
 * The cell that a person is placed in. The coarse cell around it decides, so that either all cells in that one are
 * joined or none: a partly used cell would reveal more than its size.
 */
function publishable(cell: string): string {
  const coarse = cellToParent(cell, coarseResolution)
  return cellArea(coarse, UNITS.km2) < leastKm2 * children ? coarse : cell
}

/**
 * Snaps coordinates (degrees) to a cell. Within 1.1 edge lengths of the old cell's centre the old cell is kept: a home
 * at a border that flickered between two cells would reveal where the border runs past it.
 */
export function snap(latitude: number, longitude: number, oldCell?: string): Snapped {
  // An old cell that is finer than cells may be here is replaced by the one around it.
  const old = oldCell && publishable(oldCell)
  if (old) {
    const distance = greatCircleDistance([latitude, longitude], cellToLatLng(old), UNITS.km)
    if (distance <= hysteresis * edgeKm(old)) return centreOf(old)
  }
  return centreOf(publishable(latLngToCell(latitude, longitude, resolution)))
}

/**
 * How far the centre of a cell can be from the centre of its wide cell, in edge lengths, with a tenth added for uneven
 * cells.
 */
const wideReach = 1.2

function findWideRings(cell: string, km: number): string[][] {
  const origin = cellToParent(cell, wideResolution)
  const edge = edgeKm(origin)
  const here = cellToLatLng(cell)
  // Rings of a hexagonal grid are sqrt(3)/2 of the distance between centres apart; a tenth is added for uneven cells.
  const rings = Math.ceil((km / (edge * Math.sqrt(3)) + 1) / (0.9 * 0.866))
  const isWithin = (wide: string) => greatCircleDistance(here, cellToLatLng(wide), UNITS.km) <= km + wideReach * edge
  return gridDiskDistances(origin, rings).map((ring) =>
    ring.filter(isWithin).map((index) => BigInt(`0x${index}`).toString()),
  )
}

const found = new LRUCache<string, string[][]>({ max: 500 })

/**
 * The wide cells that contain everything within `km` of a cell's centre, as decimal numbers, grouped by steps, nearest
 * first.
 */
export function wideRingsAround(cell: string, km: number): readonly (readonly string[])[] {
  const key = `${cell} ${km}`
  const rings = found.get(key) ?? findWideRings(cell, km)
  found.set(key, rings)
  return rings
}

export const wideCellsAround = (cell: string, km: number): readonly string[] => wideRingsAround(cell, km).flat()
