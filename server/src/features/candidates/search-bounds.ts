import { type Candidate, matchingConstants } from '../matching/matching.ts'

/**
 * What a search for candidates costs at most, whatever the population: how far it goes outward (km; the last bucket)
 * before it looks anywhere, rows of one cell and gender, rows in all, and rows from anywhere.
 */
export const searchBounds = { farthestKm: 100, perCell: 200, most: 600, anywhere: 200 }

/** Days somebody is a newcomer. */
export const newDays = matchingConstants.newcomerHours / 24

/** The viewer and whom they may be shown, as ranking takes them. */
export interface Found {
  self: Candidate
  candidates: Candidate[]
}
