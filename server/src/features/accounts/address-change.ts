import { randomInt } from 'node:crypto'
import { promised } from '@duet/contract/promised.ts'
import { rateLimits } from '@duet/contract/rate-limits.ts'
import { after, hours, minutes, seconds } from '../../platform/clock.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { languageOf } from '../../platform/http/language.ts'
import { mailboxOf } from '../../platform/mailbox.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify } from '../notifications/notifications.ts'
import { type AccountRow, accountOf, findAccount, setPasswordHash } from './accounts.queries.ts'
import {
  consumeChange,
  consumeUndo,
  deleteAddressChange,
  findUndo,
  hasFreshChange,
  hasLiveChange,
  insertUndo,
  isReserved,
  lockOwnAccount,
  putChange,
  setAddress,
  takeChangeTry,
} from './address-change.queries.ts'
import { guarded, stepUpBudgets } from './budgets.ts'
import { deliverCode } from './code-delivery.ts'
import { changeMail } from './code-mail.ts'
import { codeLife } from './codes.ts'
import { sendNotice } from './notices.ts'
import { deleteAccountCodes } from './recovery-codes.queries.ts'
import { addKnownDevice, endSessionsIn } from './sessions.ts'
import { undoIdIn } from './undo-token.ts'

/** How long the earlier address can undo a change. */
const undoLife = hours(promised.addressUndoHours)
/**
 * Of the mailbox that is wanted: apart from those of sign-in, whose owner would else be kept out. Each account asks ten times a
 * day (`addressChanges`), so this is ten times as many, or one stranger could keep the mailbox's owner from moving there.
 */
const perMailbox = { name: 'address_change_mailbox', points: 10 * rateLimits.addressChanges.points, seconds: 86_400 }

/** What others know of addresses. */
export interface AddressHooks {
  /** Whether a suspended or banned account with this mailbox was erased. No other account may move to such a mailbox. */
  isClosed(platform: Pick<Platform, 'db' | 'clock' | 'secrets'>, email: string): Promise<boolean>
  /** In the transaction that moves an account. */
  onMoved(tx: Tx, move: { userId: string; from: string; to: string }): Promise<void>
  /** In the transaction that leaves an account no way in but its mailbox. */
  onUndone(tx: Tx, userId: string): Promise<void>
}

const wrong = () => new AppError('invalid_credentials', "That code isn't right.")
const taken = () => new AppError('email_taken', "There's already an account with this address.")

/** What an administrator's address opens is the operator's to say. */
function requireNoAdministrator(account: Pick<AccountRow, 'is_super_admin'>): void {
  if (account.is_super_admin)
    throw new AppError('forbidden', "A super administrator's address can't be changed. Revoke their rights first.")
}

type Standing = 'free' | 'taken' | 'closed'

async function standingOf(platform: Platform, hooks: AddressHooks, email: string, userId: string): Promise<Standing> {
  const { db, clock, config } = platform
  const account = await findAccount(db, email)
  const isClosed =
    (await hooks.isClosed(platform, email)) ||
    (await isReserved(db, email, clock.now(), userId)) ||
    email === config.superAdminEmail
  return account ? 'taken' : isClosed ? 'closed' : 'free'
}

/**
 * Mails a code to an address the viewer wants to move to. Where that has an account, its owner is told in place of that;
 * where no account may move there, nothing is mailed. The answer and the work are the same. Throws `rate_limited`,
 * forbidden for administrators, `validation_failed` for the address they have.
 */
export async function requestAddressChange(
  platform: Platform,
  viewer: Viewer,
  email: string,
  hooks: AddressHooks,
  requestId?: string,
): Promise<void> {
  const { db, clock, hasher, log, limits } = platform
  const account = await accountOf(db, viewer.id)
  requireNoAdministrator(account)
  if (email === account.email) throw invalid([{ path: 'email', message: 'this is your address already' }])
  const now = clock.now()
  if (await hasFreshChange(db, viewer.id, email, after(now, -seconds(codeLife.resendIn)))) return
  await limits.spend(perMailbox, mailboxOf(email))
  const standing = await standingOf(platform, hooks, email, viewer.id)
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  // Where nothing is mailed, no one knows this code.
  const hash = await hasher.hash(code)
  await putChange(db, {
    userId: viewer.id,
    email,
    hash,
    now,
    expiresAt: after(now, minutes(promised.codeMinutes)),
  })
  const failed = (err: unknown) => log.error({ err, requestId }, 'the wish to move to an address could not be followed')
  // Not awaited: a slow mail server must not hold the answer, nor tell addresses apart.
  // It counts whether or not it comes: addresses that nothing is mailed to would else be told apart.
  const mail = { to: email, ...changeMail(languageOf(account.language), code) }
  const isLive = () => hasLiveChange(db, viewer.id, hash, clock.now())
  if (standing === 'free') void deliverCode(platform, { mail, requestId, isLive }).catch(failed)
  if (standing === 'taken') void tellWanted(platform, email).catch(failed)
}

async function tellWanted({ db }: Platform, email: string): Promise<void> {
  const owner = await findAccount(db, email)
  if (owner) await sendNotice({ db }, { userId: owner.id, notice: 'address_wanted' })
}

const isDuplicate = (error: unknown) => (error as { code?: unknown }).code === '23505'

/** A transaction in which an address that another account has got meanwhile is `email_taken`. */
function moving<T>(platform: Platform, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(platform, work).catch((error: unknown) => {
    throw isDuplicate(error) ? taken() : error
  })
}

async function move(tx: Tx, hooks: AddressHooks, account: AccountRow, email: string): Promise<void> {
  const now = tx.clock.now()
  await setAddress(tx.db, account, email)
  // After the address is ours: of two that want it, one waits for the other here.
  if ((await isReserved(tx.db, email, now, account.id)) || (await hooks.isClosed(tx, email))) throw taken()
  await hooks.onMoved(tx, { userId: account.id, from: account.email, to: email })
}

/**
 * Moves the viewer's account to the address that the code was mailed to, and mails the earlier one how to undo it. Throws
 * `invalid_credentials`, `email_taken`, `rate_limited`, forbidden for administrators.
 */
export function confirmAddressChange(
  platform: Platform,
  viewer: Viewer,
  { email, otp, network, deviceId }: { email: string; otp: string; network: string; deviceId: string },
  hooks: AddressHooks,
): Promise<void> {
  return guarded(platform, stepUpBudgets(viewer.sessionId, network), async () => {
    const kept = await takeChangeTry(platform.db, viewer.id, email, platform.clock.now())
    if (!(await platform.hasher.matches(kept, otp)) || !kept) throw wrong()
    await moving(platform, async (tx) => {
      const account = await lockOwnAccount(tx.db, viewer.id)
      if (!account || !(await consumeChange(tx.db, viewer.id, kept))) throw wrong()
      requireNoAdministrator(account)
      await move(tx, hooks, account, email)
      const now = tx.clock.now()
      const undo = { userId: viewer.id, email: account.email, now, expiresAt: after(now, undoLife) }
      const undoId = await insertUndo(tx.db, undo)
      await addKnownDevice(tx, viewer.id, deviceId)
      await sendNotice(tx, { userId: viewer.id, notice: 'address_changed', to: account.email, undoId })
      await notify(tx, viewer.id, { kind: 'address_changed', link: '/settings/account' })
    })
  })
}

/**
 * Undoes a change of address and all later ones: the earlier address is back, and its mailbox is the only way in. What a thief
 * may have added before the change can't be told from what the owner added, so all sessions, the password, passkeys, recovery
 * codes and linked accounts are gone. Both addresses are told. Throws not found for a token that is used or too old.
 */
export async function undoAddressChange(platform: Platform, token: string, hooks: AddressHooks): Promise<void> {
  const id = undoIdIn(platform.secrets, token)
  if (!id) throw notFound()
  await moving(platform, async (tx) => {
    const undo = await findUndo(tx.db, id, tx.clock.now())
    const account = undo && (await lockOwnAccount(tx.db, undo.user_id))
    if (!account || !(await consumeUndo(tx.db, id, account.id, undo.created_at))) throw notFound()
    if (account.email !== undo.email) {
      await setAddress(tx.db, account, undo.email)
      await hooks.onMoved(tx, { userId: account.id, from: account.email, to: undo.email })
    }
    await deleteAddressChange(tx.db, account.id)
    await setPasswordHash(tx.db, account.id, null, tx.clock.now())
    await deleteAccountCodes(tx.db, account.id)
    await hooks.onUndone(tx, account.id)
    await endSessionsIn(tx, account.id)
    for (const to of new Set([undo.email, account.email]))
      await sendNotice(tx, { userId: account.id, notice: 'address_undone', to })
  })
}
