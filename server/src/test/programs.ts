import { spawnSync } from 'node:child_process'

/** PATH for system programs, some of which are in sbin. */
export const programsPath = `${process.env.PATH}:/usr/sbin`

/** Whether a program is installed; tests that need it are skipped otherwise. */
export const has = (program: string): boolean =>
  spawnSync('which', [program], { env: { PATH: programsPath } }).status === 0
