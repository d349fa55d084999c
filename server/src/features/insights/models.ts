import type { Model } from '@duet/contract/insights.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Actor } from '../audit/actor.ts'
import { recordInAudit } from '../audit/audit.ts'
import { activateModel } from '../matching/train-model.ts'
import { findModels, type ModelRow } from './models.queries.ts'

const mostListed = 50

/** All numbers in `value` by their path: `{ test: { auc: .7 } }` gives `test.auc`. */
function numbersIn(value: unknown, path: readonly string[] = []): [string, number][] {
  if (typeof value === 'number') return [[path.join('.'), value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, [...path, key]))
}

function view({ version, metrics, trained_at, active }: ModelRow): Model {
  return { version, trainedAt: trained_at.toISOString(), active, metrics: Object.fromEntries(numbersIn(metrics)) }
}

/** The newest models, newest first, and the one in use. The code's defaults come last, as version 0. */
export async function listModels(platform: Pick<Platform, 'db'>): Promise<{ models: Model[] }> {
  const models = (await findModels(platform.db, mostListed)).map(view)
  const defaults = { version: 0, trainedAt: null, active: !models.some(({ active }) => active), metrics: {} }
  return { models: [...models, defaults] }
}

/**
 * Switches ranking to a model, or to the code's defaults if `version` is 0, and records that in the audit log. Throws
 * not found for an unknown version.
 */
export async function rankWith(platform: Platform, actor: Actor, version: number): Promise<{ models: Model[] }> {
  const entry = { actorId: actor.id, action: 'model_used', reason: '', requestId: actor.requestId }
  await activateModel(platform, version, (tx) =>
    recordInAudit(tx, { ...entry, target: { kind: 'model', id: version } }),
  )
  return listModels(platform)
}
