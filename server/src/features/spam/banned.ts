import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { Tx } from '../../platform/platform.ts'
import { everyKey } from '../../platform/security/secrets.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { findBan, renewBan } from './banned.queries.ts'
import { addressSignal } from './linked.ts'

/** The facts, for the person; they can appeal, and the mailbox may belong to someone else by now. */
const statements: Record<AppLanguage, string> = {
  en: 'An account with your address was banned and then deleted, so the ban applies to this account too. If you’re someone else, or the ban was wrong, you can appeal. A person will review it.',
  es: 'Una cuenta con tu dirección se cerró por incumplir las normas y después se eliminó, así que la decisión vale también para esta cuenta. Si eres otra persona, o la decisión fue un error, puedes recurrir. Lo revisará una persona.',
  ar: 'أُغلق حساب بعنوانك لمخالفة القواعد ثم حُذف، ويسري القرار على هذا الحساب أيضًا. إن كنت شخصًا آخر أو كان القرار خاطئًا فقدّم تظلّمًا، وسيراجعه شخص من فريقنا.',
}

/** Whether an account of this mailbox was banned and erased, and the ban lasts. */
export async function isBannedMailbox(
  { db, clock, secrets }: Pick<Tx, 'db' | 'clock' | 'secrets'>,
  email: string,
): Promise<boolean> {
  const values = everyKey(secrets).map((key) => addressSignal(key, email))
  return (await findBan(db, values, clock.now())) !== undefined
}

interface Newcomer {
  userId: string
  email: string
  language: AppLanguage
}

/**
 * Continues a ban for a person who comes back to a mailbox whose account was banned and erased. No one else is told anything,
 * nor can they find out: signing up is answered as ever. For the transaction that makes the account.
 */
export async function continueBan(tx: Tx, { userId, email, language }: Newcomer): Promise<void> {
  const values = everyKey(tx.secrets).map((key) => addressSignal(key, email))
  const now = tx.clock.now()
  const ban = await findBan(tx.db, values, now)
  const [newest] = values
  if (!ban || !newest) return
  if (!ban.value.equals(newest)) await renewBan(tx.db, values, newest, ban.until)
  await sanction(tx, {
    ...{ userId, kind: 'ban', ground: 'evasion', decidedBy: null, statement: statements[language] },
    note: 'an account of the same mailbox was banned and erased',
    until: ban.until ?? undefined,
  })
}
