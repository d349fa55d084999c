import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { rowTypes } from '../../test/row-types.ts'

const file = new URL('./schema.ts', import.meta.url)

// `npm run schema:types` runs this file with UPDATE_SCHEMA set.
it('The row types match the migrated schema', async () => {
  const database = await createTestDatabase()
  const types = await rowTypes(database.config)
  await database.drop()
  if (process.env.UPDATE_SCHEMA) await writeFile(file, types)
  expect(await readFile(file, 'utf8')).toBe(types)
})
