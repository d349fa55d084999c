import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Figure {
  id: string
  value: number
  /** The target as in docs/performance.md, for example '<= 3' or '>= 0.5'. */
  target: string
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

const pathOf = (bench: string) => join(root, 'bench/results', `${bench}.json`)

export function report(bench: string, figures: Figure[]): void {
  for (const { id, value, target } of figures) console.log(`${id}: ${value} (target ${target})`)
  const path = pathOf(bench)
  mkdirSync(dirname(path), { recursive: true })
  const result = { machine: machine(), commit: commit(), figures }
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`)
}

/** Like `report`, for several tests that share a result file: figures with other ids stay in the file. */
export function reportBeside(bench: string, figures: Figure[]): void {
  const path = pathOf(bench)
  const before: { figures: Figure[] } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { figures: [] }
  const ids = new Set(figures.map(({ id }) => id))
  report(bench, [...before.figures.filter(({ id }) => !ids.has(id)), ...figures])
}
