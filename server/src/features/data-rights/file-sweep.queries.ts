import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { FileKind } from '../../platform/storage/storage.ts'

const evidencePattern = '[0-9a-f]{64}\\.(?:webp|webm|ogg|m4a)'

/** Selects all file names that the database refers to, by folder of the file store. */
const named: Record<FileKind, RawBuilder<unknown>> = {
  photos: sql`select file_name from photos`,
  attachments: sql`select file_name from attachments
    union all select file_name from message_versions where file_name is not null`,
  verification: sql`select file_name from verifications`,
  exports: sql`select file_name from data_exports where file_name is not null`,
  evidence: sql`select found[1] from (select evidence from reports union all select evidence from report_sightings) seen,
    regexp_matches(evidence::text, ${evidencePattern}, 'g') as found`,
}

export async function findUnnamed(db: Db, kind: FileKind, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select given.name from unnest(${names}::text[]) as given (name)
    where not exists (select from (${named[kind]}) as known (name) where known.name = given.name)`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
