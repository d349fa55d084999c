import type { Hole } from './hole.ts'
import { holes } from './holes.ts'

/** The hole that HOLE names; undefined without. Throws for a name that there is not. */
export function chosenHole(): Hole | undefined {
  const name = process.env.HOLE
  if (!name) return undefined
  const hole = holes.find((one) => one.name === name)
  if (!hole) throw new Error(`there is no hole ${name}`)
  return hole
}
