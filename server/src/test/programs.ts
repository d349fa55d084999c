import { spawnSync } from 'node:child_process'

/** Where programs of the system are: some of them are for administrators. */
export const programsPath = `${process.env.PATH}:/usr/sbin`

/** Whether this machine has a program; the tests that need one are skipped without it. */
export const has = (program: string): boolean =>
  spawnSync('which', [program], { env: { PATH: programsPath } }).status === 0
