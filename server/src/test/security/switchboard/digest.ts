import { createHash } from 'node:crypto'
import type { Hole } from './hole.ts'

/** Of what a hole is and what must catch it: one that was changed since has to be opened again. */
export const digestOf = ({ changes, caughtBy }: Hole): string =>
  createHash('sha256')
    .update(JSON.stringify([changes, caughtBy]))
    .digest('hex')
    .slice(0, 16)
