import type { Erasure } from '@duet/contract/data-rights.ts'
import { after, days } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { languageOf } from '../../platform/language.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { removeCarriedFile } from '../conversations/conversations.ts'
import { removeFiles } from '../photos/photos.ts'
import { removeSelfie } from '../verification/verification.ts'
import { erasureMail } from './data-rights-mails.ts'
import {
  clearEraseAt,
  endOtherSessions,
  findDue,
  findEraseAt,
  findFiles,
  findPeers,
  lockAccount,
  type OwnFiles,
  putEraseAt,
  putErased,
  removeRows,
} from './erasure.queries.ts'
import { exportKey } from './export-file.ts'
import { noteErased } from './ledger.ts'
import { registry } from './registry.ts'

/** Until it cannot be undone any more. */
export const graceDays = 14
const requests = { name: 'erasures', points: 10, seconds: days(1) / 1000 }

/** Two people stop or begin to see each other: whether somebody is online is told by it. */
export type OnHidden = (userId: string, peerId: string) => void

const view = (eraseAt: Date | null): Erasure => ({ eraseAt: eraseAt?.toISOString() ?? null })

/** When the viewer's account goes, if it does. */
export async function getErasure(platform: Pick<Platform, 'db'>, viewerId: string): Promise<Erasure> {
  return view(await findEraseAt(platform.db, viewerId))
}

// Devices of others that are open ask again what they may still see.
async function tellPeers(
  platform: Pick<Platform, 'db' | 'realtime'>,
  userId: string,
  onHidden?: OnHidden,
): Promise<void> {
  const peers = await findPeers(platform.db, userId)
  for (const peerId of peers) onHidden?.(userId, peerId)
  if (peers.length > 0) platform.realtime.publish(peers, 'resync', { withinMs: 5_000 })
}

/**
 * Hides the viewer at once, ends their other sessions, tells their address, and lets everything of them go in 14 days.
 * Asked again, the first moment holds. Throws `rate_limited`.
 */
export async function requestErasure(platform: Platform, viewer: Viewer, onHidden: OnHidden): Promise<Erasure> {
  await platform.limits.spend(requests, viewer.id)
  const eraseAt = after(platform.clock.now(), days(graceDays))
  return transaction(platform, async (tx) => {
    const put = await putEraseAt(tx.db, viewer.id, eraseAt)
    if (!put) throw notFound()
    const ended = await endOtherSessions(tx.db, viewer.id, viewer.sessionId)
    tx.afterCommit(async () => {
      for (const sessionId of ended) {
        platform.sessions.forget(sessionId)
        platform.realtime.endSession(sessionId)
      }
      await tellPeers(platform, viewer.id, onHidden)
    })
    // A slow mail server does not hold the answer.
    tx.afterCommit(() => {
      if (!put.isNew) return
      const sent = platform.mailer.send({ to: put.email, ...erasureMail(languageOf(put.language), put.eraseAt) })
      sent.catch((err) => platform.log.error({ err }, 'an erasure could not be told by mail'))
    })
    return view(put.eraseAt)
  })
}

/** Keeps the viewer's account after all; others see them again. Throws `rate_limited`. */
export async function undoErasure(platform: Platform, viewerId: string): Promise<Erasure> {
  await platform.limits.spend(requests, viewerId)
  if (await clearEraseAt(platform.db, viewerId, platform.clock.now())) await tellPeers(platform, viewerId)
  return getErasure(platform, viewerId)
}

/** What erasing stands on. `db` is the owner's: some of what goes is not the application's to remove. */
export type Erasing = Pick<Platform, 'db' | 'clock' | 'log' | 'storage' | 'mailer' | 'config'>

const statements = Object.values(registry).flatMap(({ erased }) =>
  typeof erased === 'object' && 'run' in erased ? [erased.run] : [],
)

async function removeFilesOf(platform: Pick<Platform, 'storage'>, files: OwnFiles) {
  const { photos, attachments, selfies, exports } = files
  for (const fileName of photos) await removeFiles(platform, fileName)
  for (const attachment of attachments) await removeCarriedFile(platform, attachment)
  for (const fileName of selfies) await removeSelfie(platform, fileName)
  for (const fileName of exports) await platform.storage.remove(exportKey(fileName))
}

/**
 * Removes an account and everything of it for good: files and mails first, then the rows, in one transaction that notes
 * it in the ledger. Whatever ends it halfway, the same again finishes it. False when there is nothing to do: no such
 * account, one that is not due by `due`, or somebody else is at it.
 */
export function eraseAccount(platform: Erasing, userId: string, due?: Date): Promise<boolean> {
  return transaction(platform, async (tx) => {
    const email = await lockAccount(tx.db, userId, due)
    if (email === undefined) return false
    const erasedAt = tx.clock.now()
    await noteErased(platform.config.dataDir, { userId, erasedAt: erasedAt.toISOString() })
    await removeFilesOf(platform, await findFiles(tx.db, userId))
    await platform.mailer.forget(email)
    await removeRows(tx.db, userId, email, statements)
    await putErased(tx.db, userId, erasedAt)
    return true
  })
}

const atOnce = 100

/** Erases every account whose time is over. One that cannot be erased now does not hold up the others. */
export async function eraseDue(platform: Erasing): Promise<void> {
  const now = platform.clock.now()
  for (const userId of await findDue(platform.db, now, atOnce)) {
    await eraseAccount(platform, userId, now).catch((err: unknown) =>
      platform.log.error({ err }, 'an account could not be erased; it is tried again'),
    )
  }
}
