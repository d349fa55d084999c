import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../clock.ts'
import { oneAtATime } from '../one-at-a-time.ts'

export interface Space {
  free: number
  size: number
}

export const spaceOf = (folder: string): Promise<Space | undefined> =>
  statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }),
    () => undefined,
  )

export function watchSpace(folder: string): () => Promise<Space | undefined> {
  const look = oneAtATime(() => spaceOf(folder))
  return async () => (await Promise.race([look(), sleep(seconds(3), undefined, { ref: false })])) ?? undefined
}

/** The same threshold as the alert DiskIsNearlyFull. */
export const leastFree = ({ size }: Space): number => Math.min(5e9, size / 10)

export const isNearlyFull = (space: Space): boolean => space.free < leastFree(space)

/** PostgreSQL stops if it can't create its next 16 MB WAL segment. */
export const isFull = ({ free }: Space): boolean => free < 16 * 1024 * 1024
