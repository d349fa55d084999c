import type { Selectable } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/schema.ts'

export type ModelRow = Pick<Selectable<DB['models']>, 'version' | 'metrics' | 'trained_at' | 'active'>

export function findModels(db: Db, most: number): Promise<ModelRow[]> {
  const newest = db.selectFrom('models').select('version').orderBy('version', 'desc').limit(most)
  return db
    .selectFrom('models')
    .select(['version', 'metrics', 'trained_at', 'active'])
    .where(({ or, eb }) => or([eb('version', 'in', newest), eb('active', '=', true)]))
    .orderBy('version', 'desc')
    .execute()
}
