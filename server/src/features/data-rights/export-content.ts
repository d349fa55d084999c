import type { Db } from '../../platform/database/database.ts'
import type { Platform } from '../../platform/platform.ts'
import { readCarriedFile } from '../conversations/attachments.ts'
import { readFiles } from '../photos/photo-files.ts'
import { readSheet } from '../questions/sheet.ts'
import { atOneMoment, type ExportedRow, readRows } from './export.queries.ts'
import { registry } from './registry.ts'

export type Content = Record<string, ExportedRow[]>

export interface OwnFile {
  path: string
  read(): Promise<Buffer | undefined>
}

const parts = Object.entries(registry).flatMap(([table, { exports }]) =>
  'nothing' in exports ? [] : [exports].flat().map((part) => ({ table, part })),
)

/** Decodes the answers to questions, which are stored in two bytes each. */
function readable(as: string, row: ExportedRow): ExportedRow {
  return as === 'answers' ? { answers: readSheet(row.sheet as Buffer) } : row
}

export function readContent(db: Db, userId: string): Promise<Content> {
  return atOneMoment(db, async (moment) => {
    const content: Content = {}
    for (const { table, part } of parts) {
      const rows = await readRows(moment, table, part, userId)
      content[part.as] = rows.map((row) => readable(part.as, row))
    }
    return content
  })
}

const nameIn = (row: ExportedRow) => String(row.fileName)

/** The files in an export: profile photos, and the photos and voice messages that the person sent. */
export function filesOf(storage: Pick<Platform, 'storage'>, { photos = [], attachments = [] }: Content): OwnFile[] {
  return [
    ...photos.map((row) => ({ path: `photos/${nameIn(row)}`, read: () => readFiles(storage, nameIn(row), 1080) })),
    ...attachments.map((row) => ({
      path: `messages/${nameIn(row)}`,
      read: () => readCarriedFile(storage, nameIn(row)),
    })),
  ]
}
