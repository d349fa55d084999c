// npm run bench [name]: runs one benchmark or all in turn. Each writes bench/results/<name>.json.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, fail, root } from './bootstrap.mjs'
import { ensureBuilt } from './build.mjs'
import { run } from './process.mjs'

const benches = readdirSync(join(root, 'bench/src'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
const [name, ...args] = process.argv.slice(2)
if (name && !benches.includes(name)) fail(`There is no benchmark named ${name}. Choose from ${benches.join(', ')}.`)

ensureInstalled()
await ensureBuilt().catch((error) => fail(error.message))
const failed = []
for (const bench of name ? [name] : benches) {
  console.log(`\n── ${bench}`)
  const code = await run(['--import', 'tsx', '--expose-gc', join('bench/src', `${bench}.ts`), ...args])
  if (code !== 0) failed.push(bench)
}
if (failed.length > 0) fail(`failed: ${failed.join(', ')}`)
