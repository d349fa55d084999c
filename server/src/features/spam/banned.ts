import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { Tx } from '../../platform/platform.ts'
import { everyKey } from '../../platform/secrets.ts'
import { sanction } from '../moderation/moderation.ts'
import { findBan, renewBan } from './banned.queries.ts'
import { addressSignal } from './linked.ts'

/** The facts, for the person; they can appeal, and whoever has the mailbox now may be somebody else. */
const statements: Record<AppLanguage, string> = {
  en: 'An account with your address was banned and then deleted. The ban goes on for this account. If you are somebody else, or the ban was wrong, appeal: a person will look at it.',
  es: 'Una cuenta con tu dirección se cerró por incumplir las normas y después se eliminó. Esa decisión sigue para esta cuenta. Si eres otra persona, o la decisión fue un error, recurre: lo mirará una persona.',
  ar: 'أُغلق حساب بعنوانك لمخالفة القواعد ثم حُذف، ويسري القرار على هذا الحساب أيضًا. إن كنت شخصًا آخر أو كان القرار خاطئًا فقدّم تظلّمًا، وسينظر فيه أحدنا.',
}

interface Newcomer {
  userId: string
  email: string
  language: AppLanguage
}

/**
 * Goes on with a ban for whoever comes back to a mailbox whose account was banned and erased. Nobody else is told anything,
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
