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

/** H3 resolution 7: about 5.2 km² per cell. Outside this file, everyone in a cell is at its centre. */
const resolution = 7
/** Where cells of resolution 7 are smaller than this (a twentieth of the globe), resolution 6 is used. In km². */
const leastKm2 = 4
const coarseResolution = 6
/** The number of cells in a cell of the next coarser resolution. */
const children = 7
/**
 * H3 resolution 5: about 250 km² per cell. Candidate searches go through these wide cells. People who hide their
 * distance are placed at the centre of theirs.
 */
const wideResolution = 5
/** How far from the old cell's centre, in edge lengths, a location still counts as in that cell. */
const hysteresis = 1.1

/** A location snapped to a cell. `latitude` and `longitude` are the cell's centre, in degrees. */
export interface Snapped {
  cell: string
  latitude: number
  longitude: number
}

export function centreOf(cell: string): Snapped {
  const [latitude, longitude] = cellToLatLng(cell)
  return { cell, latitude, longitude }
}

/** The mean edge length of this cell in km. Edge lengths vary by up to a factor of two over the globe. */
export function edgeKm(cell: string): number {
  const edges = originToDirectedEdges(cell).map((edge) => edgeLength(edge, UNITS.km))
  return edges.reduce((sum, length) => sum + length, 0) / edges.length
}

export function wideCentreOf(cell: string): Snapped {
  return centreOf(cellToParent(cell, wideResolution))
}

/**
 * The point that a person's distances are measured from. For people who hide their distance, it is also where others
 * see them, so that both people of a pair get the same distance.
 */
export const viewpointOf = (cell: string, hidesDistance: boolean): Snapped =>
  hidesDistance ? wideCentreOf(cell) : centreOf(cell)

/**
 * The cell that a person is placed in. The surrounding coarse cell decides, so that either all or none of its fine
 * cells are replaced by it: a partly used coarse cell would reveal more than its size suggests.
 */
function publishable(cell: string): string {
  const coarse = cellToParent(cell, coarseResolution)
  return cellArea(coarse, UNITS.km2) < leastKm2 * children ? coarse : cell
}

/**
 * Snaps coordinates (degrees) to a cell. Stays in the old cell within 1.1 edge lengths of its centre: if a home near a
 * border alternated between two cells, that would reveal how close it is to the border.
 */
export function snap(latitude: number, longitude: number, oldCell?: string): Snapped {
  // An old cell may be smaller than allowed here; then the cell around it is used.
  const old = oldCell && publishable(oldCell)
  if (old) {
    const distance = greatCircleDistance([latitude, longitude], cellToLatLng(old), UNITS.km)
    if (distance <= hysteresis * edgeKm(old)) return centreOf(old)
  }
  return centreOf(publishable(latLngToCell(latitude, longitude, resolution)))
}

/**
 * The maximum distance between a cell's centre and the centre of its wide cell, in edge lengths of the wide cell.
 * Includes a tenth for uneven cells.
 */
const wideReach = 1.2

function findWideRings(cell: string, km: number): string[][] {
  const origin = cellToParent(cell, wideResolution)
  const edge = edgeKm(origin)
  const here = cellToLatLng(cell)
  // The rings of a hexagonal grid are sqrt(3)/2 centre distances apart. A tenth is subtracted for uneven cells.
  const rings = Math.ceil((km / (edge * Math.sqrt(3)) + 1) / (0.9 * 0.866))
  const isWithin = (wide: string) => greatCircleDistance(here, cellToLatLng(wide), UNITS.km) <= km + wideReach * edge
  return gridDiskDistances(origin, rings).map((ring) =>
    ring.filter(isWithin).map((index) => BigInt(`0x${index}`).toString()),
  )
}

const found = new LRUCache<string, string[][]>({ max: 500 })

/**
 * The wide cells that cover everything within `km` of a cell's centre, as decimal numbers: one list per ring, nearest
 * first.
 */
export function wideRingsAround(cell: string, km: number): readonly (readonly string[])[] {
  const key = `${cell} ${km}`
  const rings = found.get(key) ?? findWideRings(cell, km)
  found.set(key, rings)
  return rings
}

export const wideCellsAround = (cell: string, km: number): readonly string[] => wideRingsAround(cell, km).flat()
