import { createHash, randomBytes } from 'node:crypto'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { noteSpentCode } from '../data-rights/ledger.ts'
import { notify } from '../notifications/notifications.ts'
import { sendNotice } from './notices.ts'
import { consumeAccountCode, countAccountCodes, replaceAccountCodes } from './recovery-codes.queries.ts'
import { requireSession } from './sessions.ts'

const atOnce = 10
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const hashOf = (code: string) => createHash('sha256').update(code).digest()

/** Eighty random bits, enough for an unsalted hash to be secure. */
const newCode = () => [...randomBytes(16)].map((byte) => letters[byte % letters.length]).join('')

/** Replaces an account's recovery codes and emails a notice. */
export function makeRecoveryCodes(platform: Platform, viewer: Viewer): Promise<string[]> {
  const codes = Array.from({ length: atOnce }, newCode)
  return transaction(platform, async (tx) => {
    await replaceAccountCodes(tx.db, viewer.id, codes.map(hashOf), tx.clock.now())
    await requireSession(tx, viewer)
    await sendNotice(tx, { userId: viewer.id, notice: 'recovery_codes_made' })
    return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'))
  })
}

/** Uses a recovery code and notifies its owner in the app and by email. Returns false if it isn't valid. */
export async function spendRecoveryCode(tx: Tx, email: string, code: string): Promise<boolean> {
  const hash = hashOf(code)
  const userId = await consumeAccountCode(tx.db, email, hash)
  if (!userId) return false
  await noteSpentCode(tx.config.dataDir, userId, hash, tx.clock.now())
  const left = await countAccountCodes(tx.db, userId)
  const input = { kind: 'recovery_code_used', params: { left: String(left) }, link: '/settings/account' } as const
  await notify(tx, userId, input)
  await sendNotice(tx, { userId, notice: 'recovery_code_used' })
  return true
}
