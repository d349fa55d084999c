import { statfs } from 'node:fs/promises'

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

/** As the alert DiskIsNearlyFull has it. */
export const isNearlyFull = ({ free, size }: Space): boolean => free < 5e9 && free < size / 10

/** PostgreSQL needs as much for the next piece of its log: without it, it ends. */
export const isFull = ({ free }: Space): boolean => free < 16 * 1024 * 1024
