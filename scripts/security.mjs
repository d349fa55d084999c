// npm run test:security [-- --seed N]: runs the whole security suite with the most rounds and writes
// bench/results/security.json. With --switchboard [names]: enables known vulnerabilities in a test build, one by one,
// and checks that the tests catch each of them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { ensureInstalled, root } from './bootstrap.mjs'
import { run } from './process.mjs'

ensureInstalled()
const args = process.argv.slice(2)
const argumentOf = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
if (args.includes('--switchboard')) {
  const file = 'server/src/test/security/switchboard/open-holes.ts'
  process.exit(await run(['node_modules/tsx/dist/cli.mjs', file, ...args.filter((arg) => arg !== '--switchboard')]))
}
const folder = mkdtempSync(join(tmpdir(), 'security-figures-'))
const file = join(folder, 'figures')
writeFileSync(file, '')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const targets = {
  'R2.median_m': { text: '>= 750', isMet: (value) => value >= 750 },
  'R2.p5_m': { text: '>= 180', isMet: (value) => value >= 180 },
  'R2.area_left': { text: '>= 0.95', isMet: (value) => value >= 0.95 },
  'R2.controls_broken': { text: '= 5', isMet: (value) => value === 5 },
  'R2.scripts': { text: '>= 1000', isMet: (value) => value >= 1000 },
  'R3.cells': { text: '>= 1500', isMet: (value) => value >= 1500 },
  'R3.leaks': { text: '= 0', isMet: (value) => value === 0 },
  'R3.silence_cells': { text: '>= 1000', isMet: (value) => value >= 1000 },
  'R3.fuzz_cases': { text: '>= 25000', isMet: (value) => value >= 25_000 },
  'R3.sequences': { text: '= 300', isMet: (value) => value === 300 },
  'R3.server_errors': { text: '= 0', isMet: (value) => value === 0 },
  'A1.second_order_requests': { text: '>= 20000', isMet: (value) => value >= 20_000 },
  'A1.second_order_errors': { text: '= 0', isMet: (value) => value === 0 },
  'A1.neighbours_told': { text: '>= 10000', isMet: (value) => value >= 10_000 },
  'A1.ways_kept': { text: '= 0', isMet: (value) => value === 0 },
  'A1.spellings_apart': { text: '= 0', isMet: (value) => value === 0 },
  'R9.wait_ratio': { text: '<= 2', isMet: (value) => value <= 2 },
  'R11.worst_cpu_s_per_minute': { text: '<= 3', isMet: (value) => value <= 3 },
  'R11.network_cpu_s_per_minute': { text: '<= 6', isMet: (value) => value <= 6 },
}

const env = {
  TEST_TIER: 'release',
  SECURITY_FIGURES: file,
  SECURITY_SEED: argumentOf('--seed') ?? '',
}
const everyTest = 'long || !long'
const code = await run(
  ['node_modules/vitest/vitest.mjs', 'run', 'server/src/test/security', '--tagsFilter', everyTest],
  { env },
)
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
const measured = lines.map((line) => JSON.parse(line))
const figures = measured.map((figure) => ({ ...figure, target: targets[figure.id]?.text ?? 'none' }))

const { report } = await tsImport('../tools/report.ts', import.meta.url)
console.log()
report('security', figures)

const missed = Object.entries(targets).filter(([id, { isMet }]) => {
  const values = measured.filter((one) => one.id === id).map(({ value }) => value)
  return values.length === 0 || !values.every(isMet)
})
for (const [id, { text }] of missed) console.error(`missed: ${id} (target ${text})`)
console.log(`results: ${join(root, 'bench/results/security.json')}`)
process.exit(code === 0 && missed.length === 0 ? 0 : 1)
