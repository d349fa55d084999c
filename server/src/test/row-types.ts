import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'

const codegen = join(dirname(createRequire(import.meta.url).resolve('kysely-codegen/package.json')), 'dist/cli/bin.js')

/** The row types of a migrated database as kysely-codegen generates them, with int8 as a number (see database.ts). */
export async function rowTypes({ host, user, database }: pg.ClientConfig): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-types-'))
  const file = join(folder, 'schema.ts')
  try {
    const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`
    const options = [
      '--dialect=postgres',
      `--out-file=${file}`,
      '--date-parser=string',
      '--exclude-pattern={kysely_*,graphile_worker.*,months.*}',
    ]
    await promisify(execFile)(process.execPath, [codegen, `--url=${url}`, ...options])
    const text = await readFile(file, 'utf8')
    return text.replace(
      /^export type Int8 = .*$/m,
      'export type Int8 = ColumnType<number, bigint | number | string, bigint | number | string>;',
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
