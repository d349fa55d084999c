import type { Decision } from '@duet/contract/profiles.ts'

export interface Point {
  x: number
  y: number
}

/** A finger that moved so little has tapped. */
export const slop = 8
const maxTilt = 8
// How far a throw goes on after the finger has left, in ms of its last speed.
const glide = 160
const sideShare = 0.3

/** What a card is thrown to: up and down scroll the page. */
export type Thrown = Exclude<Decision, 'later'>

/** The decision that a card at this offset moves toward, and how near it is: letting go at 1 or more makes it. */
export function swipeProgress({ x }: Point, width: number): { decision: Thrown; share: number } | null {
  const share = Math.abs(x) / (width * sideShare)
  return share > 0.08 ? { decision: x > 0 ? 'like' : 'pass', share } : null
}

/** Whether a movement goes more along the page than to a side. */
export const isUpright = ({ x, y }: Point): boolean => Math.abs(y) > Math.abs(x)

/** What letting go here means; `speed` is in px per ms. Null: the card springs back. */
export function decisionOfSwipe(offset: Point, speed: Point, width: number): Thrown | null {
  const thrown = { x: offset.x + speed.x * glide, y: offset.y + speed.y * glide }
  if (isUpright(offset)) return null
  const now = swipeProgress(offset, width)
  const then = swipeProgress(thrown, width)
  // A throw back to where it came from takes the decision back.
  if (!now || !then || then.share < 1 || then.decision !== now.decision) return null
  return then.decision
}

/** Degrees of tilt: with the finger, at most eight. */
export function tiltOf({ x }: Point, width: number): number {
  return Math.max(-maxTilt, Math.min(maxTilt, (x / (width || 1)) * maxTilt * 1.5))
}

export interface Sample extends Point {
  at: number
}

/** The speed of the last moments, in px per ms; a finger that rested before it left has none. */
export function speedOf(samples: readonly Sample[], now: number): Point {
  const recent = samples.filter(({ at }) => now - at < 90)
  const first = recent[0]
  const last = recent.at(-1)
  if (!first || !last || last.at - first.at < 8) return { x: 0, y: 0 }
  const time = last.at - first.at
  return { x: (last.x - first.x) / time, y: (last.y - first.y) / time }
}
