import type { Privacy, PrivacyChanges } from '@duet/contract/privacy.ts'
import type { Db } from '../../platform/database/database.ts'

export async function findPrivacy(db: Db, userId: string): Promise<Privacy | undefined> {
  const row = await db
    .selectFrom('profiles')
    .select(['who_may_message', 'incognito', 'hide_distance', 'hide_presence', 'blur_photos', 'hidden_words'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return (
    row && {
      whoMayMessage: row.who_may_message as Privacy['whoMayMessage'],
      incognito: row.incognito,
      hideDistance: row.hide_distance,
      hidePresence: row.hide_presence,
      blurPhotos: row.blur_photos,
      hiddenWords: row.hidden_words,
    }
  )
}

export async function updatePrivacy(db: Db, userId: string, changes: PrivacyChanges): Promise<void> {
  const set = {
    ...(changes.whoMayMessage !== undefined && { who_may_message: changes.whoMayMessage }),
    ...(changes.incognito !== undefined && { incognito: changes.incognito }),
    ...(changes.hideDistance !== undefined && { hide_distance: changes.hideDistance }),
    ...(changes.hidePresence !== undefined && { hide_presence: changes.hidePresence }),
    ...(changes.blurPhotos !== undefined && { blur_photos: changes.blurPhotos }),
    ...(changes.hiddenWords !== undefined && { hidden_words: changes.hiddenWords }),
  }
  if (Object.keys(set).length > 0) await db.updateTable('profiles').set(set).where('user_id', '=', userId).execute()
}
