import type { AppLanguage } from '@duet/contract/accounts.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { everyKey } from '../../platform/security/secrets.ts'
import { transaction } from '../../platform/transaction.ts'
import { findLive, lockAccount } from '../sanctions/sanctions.queries.ts'
import { sanction } from '../sanctions/sanctions.ts'
import { findKeptSanctions, findReachable, findUsersOfKeptSanction, moveKept, renewMailbox } from './banned.queries.ts'
import { addressSignal, identitySignal } from './linked.ts'

/** The facts as told to the person. They can appeal, because the mailbox may belong to someone else by now. */
const statements: Record<AppLanguage, string> = {
  en: 'There was a decision about an account of yours, or with your address, which was then deleted. The decision lasts, so it applies to this account too. If you’re someone else, or the decision was wrong, you can appeal. A person will review it.',
  es: 'Hubo una decisión sobre una cuenta tuya, o con tu dirección, que después se eliminó. La decisión sigue en pie, así que vale también para esta cuenta. Si eres otra persona, o la decisión fue un error, puedes recurrir. Lo revisará una persona.',
  ar: 'صدر قرار بشأن حساب لك أو بعنوانك ثم حُذف ذلك الحساب. ما زال القرار قائمًا، فهو يسري على هذا الحساب أيضًا. إن كنت شخصًا آخر أو كان القرار خاطئًا فقدّم تظلّمًا، وسيراجعه شخص من فريقنا.',
}

type Keyed = Pick<Tx, 'secrets'>
const valuesOf = ({ secrets }: Keyed, email: string) => everyKey(secrets).map((key) => addressSignal(key, email))

/** Whether a live suspension or ban of an erased account applies to this mailbox. */
export async function isClosedMailbox(tx: Keyed & Pick<Tx, 'db' | 'clock'>, email: string): Promise<boolean> {
  const kept = await findKeptSanctions(tx.db, valuesOf(tx, email), tx.clock.now())
  return kept.some(({ kind }) => kind === 'suspension' || kind === 'ban')
}

async function isUnder(
  tx: Tx,
  userId: string,
  { kind, until }: { kind: Parameters<typeof findLive>[2]; until: Date | null },
) {
  const live = await findLive(tx.db, userId, kind, tx.clock.now())
  return live !== undefined && (live.ends_at === null || (until !== null && live.ends_at >= until))
}

/**
 * Applies stored sanctions of an erased account to an account with the same mailbox, or the same identity at a sign-in
 * provider. Sign-up responds as usual, so that nobody else finds out. Idempotent. Pass `language` for an account that
 * is being created, because it has none stored yet.
 */
export async function continueSanctions(tx: Tx, userId: string, language?: AppLanguage): Promise<void> {
  const account = await findReachable(tx.db, userId)
  if (!account) return
  const ways = [
    valuesOf(tx, account.email),
    ...account.identities.map((one) => everyKey(tx.secrets).map((key) => identitySignal(key, one))),
  ]
  for (const values of ways) if (values.length > 1) await renewMailbox(tx.db, values)
  const values = ways.flat()
  if ((await findKeptSanctions(tx.db, values, tx.clock.now())).length === 0) return
  await lockAccount(tx.db, userId)
  for (const kept of await findKeptSanctions(tx.db, values, tx.clock.now())) {
    if (await isUnder(tx, userId, kept)) continue
    const id = await sanction(tx, {
      userId,
      kind: kept.kind,
      ground: 'evasion',
      decidedBy: null,
      statement: statements[language ?? languageOf(account.language)],
      note: 'an account of the same mailbox was sanctioned and erased',
      ledBy: kept.led_by,
      until: kept.until ?? undefined,
    })
    await moveKept(tx.db, values, { ...kept, id })
  }
}

/**
 * Runs after the commit, because an erasure or a decision may have been concurrent with the creation of the account.
 */
export function continueLater(platform: Platform, userId: string): Promise<void> {
  return transaction(platform, (tx) => continueSanctions(tx, userId))
}

/** Applies a sanction that was decided after the erasure to the person's new accounts. */
export async function continueForReturned(platform: Platform, sanctionId: string): Promise<void> {
  for (const userId of await findUsersOfKeptSanction(platform.db, sanctionId)) await continueLater(platform, userId)
}
