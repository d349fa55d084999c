import { spawnSync } from 'node:child_process'

/** The PATH for system programs, some of which are in sbin. */
export const programsPath = `${process.env.PATH}:/usr/sbin`

export const has = (program: string): boolean =>
  spawnSync('which', [program], { env: { PATH: programsPath } }).status === 0
