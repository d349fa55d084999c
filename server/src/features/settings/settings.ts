import { OperatorSettings } from '@duet/contract/settings.ts'
import { seconds } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../audit/actor.ts'
import { recordInAudit } from '../audit/audit.ts'
import { findSettings, putSettings } from './settings.queries.ts'

/** Used until the operator changes a setting. */
const defaults: OperatorSettings = { dailyLikes: 100 }
/** How long a process caches settings. Every like reads them, and changes aren't announced to other processes. */
const trustedFor = seconds(2)

type Settable = Pick<Platform, 'db' | 'pool' | 'clock'>

interface Known {
  settings: OperatorSettings
  readAt: number
}

/** Keyed by pool, which a platform shares with its transactions. */
const known = new WeakMap<Platform['pool'], Known>()

/** At most two seconds old. */
export async function operatorSettings(platform: Settable): Promise<OperatorSettings> {
  const now = platform.clock.now().getTime()
  const last = known.get(platform.pool)
  if (last && Math.abs(now - last.readAt) < trustedFor) return last.settings
  const settings = OperatorSettings.parse({ ...defaults, ...(await findSettings(platform.db)) })
  known.set(platform.pool, { settings, readAt: now })
  return settings
}

export async function changeSettings(
  platform: Platform,
  actor: Actor,
  changes: { [K in keyof OperatorSettings]?: OperatorSettings[K] | undefined },
): Promise<OperatorSettings> {
  const wanted = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(wanted).length > 0)
    await transaction(platform, async (tx) => {
      await putSettings(tx.db, wanted, tx.clock.now())
      const entry = { actorId: actor.id, action: 'settings_changed', reason: '', requestId: actor.requestId }
      await recordInAudit(tx, { ...entry, target: { kind: 'settings' }, details: wanted })
    })
  known.delete(platform.pool)
  return operatorSettings(platform)
}
