import { digestOf } from './digest.ts'
import { found, keepFound } from './found.ts'
import { holes } from './holes.ts'
import { runControl, runHole } from './run-hole.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(0)} s`

/**
 * Opens holes one after the other and runs what must catch each: those named, all, or those that were changed since they
 * were last opened. Before that the same tests run with no hole open. Gives how many were not caught.
 */
export async function openHoles(names: readonly string[], onlyChanged: boolean): Promise<number> {
  const chosen = holes.filter((hole) => {
    if (names.length > 0) return names.includes(hole.name)
    return !onlyChanged || found[hole.name]?.of !== digestOf(hole)
  })
  if (chosen.length === 0) return 0
  const since = performance.now()
  const broken = await runControl(chosen)
  print(
    `with no hole open: ${broken.size === 0 ? 'every test passes' : `${[...broken].join(', ')}: failed`} (${seconds(since)})`,
  )
  let missed = 0
  for (const hole of chosen) {
    const started = performance.now()
    delete found[hole.name]
    try {
      for (const { test, stands } of hole.caughtBy)
        for (const one of [test, stands]) if (broken.has(one)) throw new Error(`"${one}" fails without a hole`)
      found[hole.name] = await runHole(hole)
      print(`caught  ${hole.name} (${seconds(started)})`)
    } catch (error) {
      missed += 1
      print(`MISSED  ${hole.name}: ${(error as Error).message}`)
    }
    keepFound(holes.map(({ name }) => name))
  }
  print(`${chosen.length - missed} of ${chosen.length} holes caught (${seconds(since)})`)
  return missed
}
