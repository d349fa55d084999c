import { invalid } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { accountOf, setPasswordHash } from './accounts.queries.ts'
import { sendNotice } from './notices.ts'
import { endSessionsIn, requireSession } from './sessions.ts'

/** Throws `validation_failed` if the password is the email address, which attackers try first. */
export function requireUnlikeAddress(password: string, email: string): void {
  if (password.trim().toLowerCase() === email)
    throw invalid([{ path: 'password', message: 'this is your email address: choose another password' }])
}

/** Sets or changes the viewer's password, ends their other sessions and emails a notice. Throws `validation_failed`. */
export async function putPassword(platform: Platform, viewer: Viewer, password: string): Promise<void> {
  const { email } = await accountOf(platform.db, viewer.id)
  requireUnlikeAddress(password, email)
  const passwordHash = await platform.hasher.hash(password)
  await transaction(platform, async (tx) => {
    await setPasswordHash(tx.db, viewer.id, passwordHash, tx.clock.now())
    await requireSession(tx, viewer)
    await endSessionsIn(tx, viewer.id, viewer.sessionId)
    await sendNotice(tx, { userId: viewer.id, notice: 'password_set' })
  })
}

/** Removes the viewer's password, if there is one. From then on they sign in by code. */
export async function removePassword(platform: Platform, viewer: Viewer): Promise<void> {
  await transaction(platform, async (tx) => {
    if (!(await setPasswordHash(tx.db, viewer.id, null, tx.clock.now()))) return
    await endSessionsIn(tx, viewer.id, viewer.sessionId)
    await sendNotice(tx, { userId: viewer.id, notice: 'password_removed' })
  })
}
