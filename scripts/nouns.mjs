// npm run docs:nouns: writes the table of nouns into docs/reference.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { ensureInstalled, root } from './bootstrap.mjs'

ensureInstalled()
const { nounsPath, withNouns } = await tsImport('../tools/nouns.ts', import.meta.url)
const file = join(root, nounsPath)
writeFileSync(file, withNouns(readFileSync(file, 'utf8')))
