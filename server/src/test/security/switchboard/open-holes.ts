import { reportBeside } from '../../../../../tools/report.ts'
import { holes } from './holes.ts'
import { runControl, runHole } from './run-hole.ts'

// open-holes [name …]: reintroduces the named vulnerabilities ("holes"), or all, one at a time, and runs the tests that
// must catch each. First it runs the same tests on the intact code.

const names = process.argv.slice(2)
const unknown = names.filter((name) => !holes.some((hole) => hole.name === name))
if (unknown.length > 0) throw new Error(`there is no hole ${unknown.join(', ')}`)
const chosen = holes.filter(({ name }) => names.length === 0 || names.includes(name))
const print = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(0)} s`

const since = performance.now()
const broken = await runControl(chosen)
print(
  `with no hole open: ${broken.size === 0 ? 'every test passes' : `${[...broken].join(', ')}: failed`} (${seconds(since)})`,
)
let caught = 0
for (const hole of chosen) {
  const started = performance.now()
  try {
    for (const { test, stands } of hole.caughtBy)
      for (const one of [test, stands]) if (broken.has(one)) throw new Error(`"${one}" fails without a hole`)
    await runHole(hole)
    caught += 1
    print(`caught  ${hole.name} (${seconds(started)})`)
  } catch (error) {
    print(`MISSED  ${hole.name}: ${(error as Error).message}`)
  }
}
print(`${caught} of ${chosen.length} holes caught (${seconds(since)})`)
if (names.length === 0)
  reportBeside('security', [
    { id: 'R8.holes', value: holes.length, target: '>= 80', note: 'holes of the switchboard' },
    { id: 'R8.caught', value: caught, target: `= ${holes.length}`, note: 'holes that their tests caught' },
  ])
process.exit(caught === chosen.length ? 0 : 1)
