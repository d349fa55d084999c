import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Why each of these other files may read visibility settings. */
const besides: Record<string, string> = {
  'server/database/functions/conversations.sql': 'tells devices what changes in their lists when these settings change',
  'server/src/features/candidates/fits.queries.ts':
    'the table of candidates keeps incognito as a bit beside the gender',
}

it('the functions of one file decide visibility between people, and every list calls them', () => {
  const files = ['server/database', 'server/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(\.sql|\.queries\.ts)$/.test(path))
      .map((path) => `${folder}/${path}`),
  )
  const deciding = files.filter((path) => /shows_to\(|not \w+\.incognito/.test(readFileSync(join(root, path), 'utf8')))
  expect(deciding.sort()).toEqual([...Object.keys(besides), 'server/database/functions/safety.sql'].sort())
})
