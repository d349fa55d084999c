// npm run docs:threat-model: writes the tables of limits, of holes, and of the tests that catch them, into
// docs/threat-model.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { ensureInstalled, root } from './bootstrap.mjs'

ensureInstalled()
const { documentPath, withTable } = await tsImport('../server/src/test/security/switchboard/table.ts', import.meta.url)
const { withPrices } = await tsImport('../server/src/test/security/price/table.ts', import.meta.url)
const file = join(root, documentPath)
writeFileSync(file, withPrices(withTable(readFileSync(file, 'utf8'))))
