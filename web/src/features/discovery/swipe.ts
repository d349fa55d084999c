import type { Decision } from '@duet/contract/profiles.ts'

export interface Point {
  x: number
  y: number
}
export interface Size {
  width: number
  height: number
}

/** A finger that moved so little has tapped. */
export const slop = 8
const maxTilt = 8
// How far a throw goes on after the finger has left, in ms of its last speed.
const glide = 160
const sideShare = 0.3
const upShare = 0.24

/** Where a card at this offset points: the decision, and how near it is (1 and more: it would be made). */
export function leaning({ x, y }: Point, { width, height }: Size): { decision: Decision; share: number } | null {
  const side = Math.abs(x) / (width * sideShare)
  const up = -y / (height * upShare)
  if (Math.max(side, up) <= 0.08) return null
  if (up > side) return { decision: 'later', share: up }
  return { decision: x > 0 ? 'like' : 'pass', share: side }
}

/** What letting go here means; `speed` is in px per ms. Null: the card springs back. */
export function outcomeOf(offset: Point, speed: Point, size: Size): Decision | null {
  const thrown = { x: offset.x + speed.x * glide, y: offset.y + speed.y * glide }
  const now = leaning(offset, size)
  const then = leaning(thrown, size)
  // A throw back to where it came from takes the decision back.
  if (!now || !then || then.share < 1 || then.decision !== now.decision) return null
  return then.decision
}

/** Degrees of tilt: with the finger, at most eight. */
export function tiltOf({ x }: Point, { width }: Size): number {
  return Math.max(-maxTilt, Math.min(maxTilt, (x / (width || 1)) * maxTilt * 1.5))
}

export interface Sample extends Point {
  at: number
}

/** The speed of the last moments, in px per ms; a finger that rested before it left has none. */
export function speedOf(samples: readonly Sample[], now: number): Point {
  const recent = samples.filter(({ at }) => now - at < 90)
  const [first, last] = [recent[0], recent.at(-1)]
  if (!first || !last || last.at - first.at < 8) return { x: 0, y: 0 }
  const time = last.at - first.at
  return { x: (last.x - first.x) / time, y: (last.y - first.y) / time }
}
