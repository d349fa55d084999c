import type { Erasure } from '@duet/contract/data-rights.ts'
import { promised } from '@duet/contract/promised.ts'
import { after, days } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { removeWithCommit } from '../../platform/file-removal.ts'
import { languageOf } from '../../platform/http/language.ts'
import { eachOne } from '../../platform/jobs/each-one.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { setFoundAfter } from '../candidates/candidates.ts'
import { carriedKeys } from '../conversations/attachments.ts'
import { mailPerson } from '../mails/sending.ts'
import { keysOf } from '../photos/photo-files.ts'
import { selfieKey } from '../verification/selfies.ts'
import { erasureMail } from './data-rights-mails.ts'
import {
  clearEraseAt,
  endOtherSessions,
  findDueErasures,
  findEraseAt,
  findFiles,
  lockForErasure,
  type OwnFiles,
  putEraseAt,
  putErased,
  removeRows,
} from './erasure.queries.ts'
import { exportKey } from './export-file.ts'
import { noteInLedger } from './ledger.ts'
import { registry } from './registry.ts'

/** Called when a person becomes hidden or visible again. Publishes their presence. */
export type OnShown = (userId: string) => Promise<void>

const view = (eraseAt: Date | null): Erasure => ({ eraseAt: eraseAt?.toISOString() ?? null })

export async function getErasure(platform: Pick<Platform, 'db'>, viewerId: string): Promise<Erasure> {
  return view(await findEraseAt(platform.db, viewerId))
}

/** Called before the commit: a restore must know of every decision that was confirmed to a person. */
function noteDecided({ config, clock }: Pick<Platform, 'config' | 'clock'>, userId: string, eraseAt: Date | null) {
  const notedAt = clock.now().toISOString()
  return noteInLedger(config.dataDir, [{ userId, eraseAt: eraseAt?.toISOString() ?? null, notedAt }])
}

/**
 * Hides the viewer immediately, ends their other sessions, emails them, and schedules the erasure for 14 days later, or
 * for the end of their last shared date if that is later. Repeating the request doesn't change the schedule.
 */
export async function requestErasure(platform: Platform, viewer: Viewer, onShown: OnShown): Promise<Erasure> {
  const eraseAt = after(platform.clock.now(), days(promised.graceDays))
  return transaction(platform, async (tx) => {
    const put = await putEraseAt(tx.db, viewer.id, eraseAt)
    if (!put) throw notFound()
    if (put.isNew) {
      await noteDecided(tx, viewer.id, put.eraseAt)
      await addJobIn(tx.db, 'mail-erasure', { userId: viewer.id, to: put.email, language: put.language })
    }
    const ended = await endOtherSessions(tx.db, viewer.id, viewer.sessionId)
    tx.afterCommit(async () => {
      for (const sessionId of ended) {
        platform.sessions.forget(sessionId)
        platform.realtime.endSession(sessionId)
      }
      await onShown(viewer.id)
    })
    return getErasure(tx, viewer.id)
  })
}

interface ErasureMailPayload {
  userId: string
  /** The address and language at the time of the request, because an intruder may have changed them since. */
  to: string
  language: string
}

/** Emails the erasure date, unless the person has cancelled in the meantime. */
export async function mailErasure(platform: Platform, { userId, to, language }: ErasureMailPayload): Promise<void> {
  const eraseAt = await findEraseAt(platform.db, userId)
  if (eraseAt) await mailPerson(platform, userId, { to, ...erasureMail(languageOf(language), eraseAt) })
}

export async function undoErasure(platform: Platform, viewerId: string, onShown: OnShown): Promise<Erasure> {
  await transaction(platform, async (tx) => {
    if (!(await clearEraseAt(tx.db, viewerId, tx.clock.now()))) return
    await noteDecided(tx, viewerId, null)
    await setFoundAfter(tx, [viewerId])
    tx.afterCommit(() => onShown(viewerId))
  })
  return getErasure(platform, viewerId)
}

/** `db` must use the owner's connection, because the application's role may not delete everything. */
export type Erasing = Pick<Platform, 'db' | 'clock' | 'log' | 'storage' | 'mailer' | 'config'>

const statements = Object.values(registry).flatMap(({ erased }) =>
  typeof erased === 'object' && 'run' in erased ? [erased.run] : [],
)

const keysIn = ({ photos, attachments, selfies, exports }: OwnFiles) => [
  ...photos.flatMap((fileName) => keysOf(fileName)),
  ...attachments.flatMap(carriedKeys),
  ...selfies.map(selfieKey),
  ...exports.map(exportKey),
]

/**
 * Erases an account permanently. Sends the emails first. Then one transaction deletes the rows and records the erasure
 * in the ledger. Files are deleted after the commit, so that a slow file store doesn't keep the conversations locked.
 * After an interruption, another call or `removeLeftFiles` does the rest. Returns false if the account doesn't exist,
 * isn't due by `due`, or is being erased by another process.
 */
export function eraseAccount(platform: Erasing, userId: string, due?: Date): Promise<boolean> {
  return transaction(platform, async (tx) => {
    const email = await lockForErasure(tx.db, userId, due)
    if (email === undefined) return false
    const erasedAt = tx.clock.now()
    await noteInLedger(platform.config.dataDir, [{ userId, erasedAt: erasedAt.toISOString() }])
    await platform.mailer.forget(email)
    await removeWithCommit(tx, keysIn(await findFiles(tx.db, userId)))
    await removeRows(tx.db, userId, email, statements)
    await putErased(tx.db, userId, erasedAt)
    return true
  })
}

const atOnce = 100

/** Erases all accounts that are due. A failure doesn't stop the others. */
export async function eraseDue(platform: Erasing): Promise<void> {
  const now = platform.clock.now()
  const due = await findDueErasures(platform.db, now, atOnce)
  const message = 'an account could not be erased; it is tried again'
  await eachOne(platform, due, message, (userId) => eraseAccount(platform, userId, now))
}
