import type { Decision } from '@duet/contract/profiles.ts'

export interface Point {
  x: number
  y: number
}

/** A finger that moved fewer pixels than this counts as a tap. */
export const slop = 8
const maxTilt = 8
// A swipe is extrapolated by this many milliseconds at its final speed.
const glide = 160
const sideShare = 0.3

/** There is no swipe for "later", because vertical swipes scroll the page. */
export type Thrown = Exclude<Decision, 'later'>

/** The decision toward which the card is moving. Releasing it at a `share` of 1 or more makes the decision. */
export function swipeProgress({ x }: Point, width: number): { decision: Thrown; share: number } | null {
  const share = Math.abs(x) / (width * sideShare)
  return share > 0.08 ? { decision: x > 0 ? 'like' : 'pass', share } : null
}

export const isUpright = ({ x, y }: Point): boolean => Math.abs(y) > Math.abs(x)

/** The decision when the card is released; null if it should spring back. `speed` is in px/ms. */
export function decisionOfSwipe(offset: Point, speed: Point, width: number): Thrown | null {
  const thrown = { x: offset.x + speed.x * glide, y: offset.y + speed.y * glide }
  if (isUpright(offset)) return null
  const now = swipeProgress(offset, width)
  const then = swipeProgress(thrown, width)
  // A flick back toward the start cancels the decision.
  if (!now || !then || then.share < 1 || then.decision !== now.decision) return null
  return then.decision
}

/** In degrees; the card tilts in the direction of the finger. */
export function tiltOf({ x }: Point, width: number): number {
  return Math.max(-maxTilt, Math.min(maxTilt, (x / (width || 1)) * maxTilt * 1.5))
}

export interface Sample extends Point {
  at: number
}

/** The speed in px/ms over the last 90 ms; zero if the finger rested before it lifted. */
export function speedOf(samples: readonly Sample[], now: number): Point {
  const recent = samples.filter(({ at }) => now - at < 90)
  const first = recent[0]
  const last = recent.at(-1)
  if (!first || !last || last.at - first.at < 8) return { x: 0, y: 0 }
  const time = last.at - first.at
  return { x: (last.x - first.x) / time, y: (last.y - first.y) / time }
}
