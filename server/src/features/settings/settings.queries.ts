import type { Db } from '../../platform/database/database.ts'

export async function findSettings(db: Db): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

export async function putSettings(db: Db, values: Record<string, unknown>, now: Date): Promise<void> {
  const rows = Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value), changed_at: now }))
  await db
    .insertInto('settings')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        value: ref('excluded.value'),
        changed_at: ref('excluded.changed_at'),
      })),
    )
    .execute()
}
