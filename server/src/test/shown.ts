import type { TestApp } from './app.ts'

interface Someone {
  id: string
}

/** Records that a person was shown: matching learns only from decisions about people who were shown. */
export async function noteShown(app: TestApp, viewer: Someone, target: Someone, at = app.clock.now()): Promise<void> {
  const slot = { slot: 0, slot_kind: 'regular', propensity: 1, model_version: 0 } as const
  await app.platform.db
    .insertInto('impressions')
    .values({ viewer_id: viewer.id, target_id: target.id, deck_at: at, shown_at: at, ...slot })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
