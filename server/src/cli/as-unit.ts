import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { becomeUnit, findUnit } from '../unit.ts'

const commands = ['admin', 'audit', 'backup', 'doctor', 'migrate', 'restore', 'seed']

// `duet COMMAND …` of a release. Runs the command as the unit's user with the unit's settings or, without a unit, in
// the current environment.
const [name = ''] = process.argv.splice(2, 1)
if (!commands.includes(name)) {
  console.error(`usage: duet ${commands.join('|')} …`)
  process.exit(2)
}
try {
  const unit = findUnit()
  if (unit) becomeUnit(unit, name)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
await import(new URL(`./${name}${extname(fileURLToPath(import.meta.url))}`, import.meta.url).href)
