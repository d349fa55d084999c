// npm run docs:graph: prints a diagram of the imports between features.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, fail, root } from './bootstrap.mjs'

ensureInstalled()
const cruise = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'
const args = [
  'contract/src',
  'server/src',
  'web/src',
  '--config',
  '.dependency-cruiser.cjs',
  '--no-progress',
  '--output-type',
  'json',
]
const { stdout } = spawnSync(process.execPath, [cruise, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
if (!stdout) fail('The imports could not be read.')

const isTest = (path) => /\.test\.tsx?$|\/src\/test\//.test(path)

function partOf(path) {
  if (isTest(path)) return undefined
  if (path.startsWith('contract/src/')) return 'contract'
  const [, side, rest] = /^(server|web)\/src\/(.+)$/.exec(path) ?? []
  if (!side) return undefined
  if (rest === 'config.ts') return 'server/platform'
  const feature = /^features\/([^/]+)\//.exec(rest)?.[1]
  return `${side}/${feature ?? /^(platform|ui|demo)\//.exec(rest)?.[1] ?? 'app'}`
}

const arrows = new Set()
const parts = new Set()
for (const { source, dependencies } of JSON.parse(stdout).modules) {
  const from = partOf(source)
  if (!from) continue
  parts.add(from)
  for (const { resolved } of dependencies) {
    const to = partOf(resolved)
    // Omits imports of shared code, and imports from the entry points that connect everything: they would hide the
    // others.
    const plain =
      to &&
      to !== from &&
      to !== 'contract' &&
      !to.endsWith('/platform') &&
      !to.endsWith('/ui') &&
      !from.endsWith('/app')
    if (plain) arrows.add(`${from}|${to}`)
  }
}

const id = (part) => part.replace('/', '_')
const lines = ['```mermaid', 'flowchart LR', '  contract']
for (const side of ['server', 'web']) {
  const own = [...parts].filter((part) => part.startsWith(`${side}/`)).sort()
  lines.push(`  subgraph ${side}`, ...own.map((part) => `    ${id(part)}[${part.split('/')[1]}]`), '  end')
  if (own.length > 0) lines.push(`  ${side} --> contract`)
}
for (const arrow of [...arrows].sort()) lines.push(`  ${arrow.split('|').map(id).join(' --> ')}`)
console.log([...lines, '```'].join('\n'))
