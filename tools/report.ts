import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Figure {
  id: string
  value: number
  /** What it should reach, as docs/performance.md says it: '<= 3', '>= 0.5'. */
  target: string
  /** How it was measured, and against what. */
  note: string
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

function machine(): string {
  const [first] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${cpus().length} x ${first?.model.trim() ?? 'unknown'}, ${memory}, Node ${process.version}, ${process.platform} ${process.arch}`
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

/** Prints `ID: value (target …)` for each figure and writes them to bench/results/<bench>.json. */
export function report(bench: string, figures: Figure[]): void {
  for (const { id, value, target } of figures) console.log(`${id}: ${value} (target ${target})`)
  const folder = join(root, 'bench/results')
  mkdirSync(folder, { recursive: true })
  const result = { machine: machine(), commit: commit(), figures }
  writeFileSync(join(folder, `${bench}.json`), `${JSON.stringify(result, null, 2)}\n`)
}
