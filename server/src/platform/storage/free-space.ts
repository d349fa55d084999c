import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { seconds } from '../clock.ts'
import { oneAtATime } from '../one-at-a-time.ts'

/** Bytes of the disk that a folder is on. */
export interface Space {
  free: number
  size: number
}

/** The room where a folder is; undefined while it is not there. */
export const spaceOf = (folder: string): Promise<Space | undefined> =>
  statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }),
    () => undefined,
  )

/** The same again and again; undefined also while the disk hangs. */
export function watchSpace(folder: string): () => Promise<Space | undefined> {
  const look = oneAtATime(() => spaceOf(folder))
  return async () => (await Promise.race([look(), sleep(seconds(3), undefined, { ref: false })])) ?? undefined
}

/** What has to stay free, as the alert DiskIsNearlyFull has it. */
export const leastFree = ({ size }: Space): number => Math.min(5e9, size / 10)

export const isNearlyFull = (space: Space): boolean => space.free < leastFree(space)

/** PostgreSQL needs as much for the next piece of its log: without it, it ends. */
export const isFull = ({ free }: Space): boolean => free < 16 * 1024 * 1024
