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

const undoLife = hours(promised.addressUndoHours)
/**
 * Counted separately from sign-in codes: otherwise requested changes could stop the mailbox's owner from signing in.
 * Ten times one account's daily limit (`addressChanges`), so that one stranger can't stop the owner from moving to this
 * address.
 */
const perMailbox = { name: 'address_change_mailbox', points: 10 * rateLimits.addressChanges.points, seconds: 86_400 }

export interface AddressHooks {
  /** Whether an erased account with this mailbox was suspended or banned. No account may move to such a mailbox. */
  isClosed(platform: Pick<Platform, 'db' | 'clock' | 'secrets'>, email: string): Promise<boolean>
  /** Runs in the transaction that changes the address. */
  onMoved(tx: Tx, move: { userId: string; from: string; to: string }): Promise<void>
  /** Runs in the transaction that undoes a change. After it, the mailbox is the only way to sign in. */
  onUndone(tx: Tx, userId: string): Promise<void>
}

const wrong = () => new AppError('invalid_credentials', "That code isn't right.")
const taken = () => new AppError('email_taken', "There's already an account with this address.")

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
 * Emails a code to the address the viewer wants to move to. If the address has an account, its owner gets a notice
 * instead; if no account may move there, nothing is sent. All three cases get the same response and take equally long.
 * Throws `rate_limited`, `forbidden` for administrators, and `validation_failed` for the current address.
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
  // Hashed even if no email follows, so that all cases take equally long.
  const hash = await hasher.hash(code)
  await putChange(db, {
    userId: viewer.id,
    email,
    hash,
    now,
    expiresAt: after(now, minutes(promised.codeMinutes)),
  })
  const failed = (err: unknown) => log.error({ err, requestId }, 'an address change’s code could not be delivered')
  // Not awaited: a slow mail server must not delay the response or reveal which addresses exist. The request always
  // counts against the limits, because a refund would reveal which addresses get no email.
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

function moving<T>(platform: Platform, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(platform, work).catch((error: unknown) => {
    throw isDuplicate(error) ? taken() : error
  })
}

async function move(tx: Tx, hooks: AddressHooks, account: AccountRow, email: string): Promise<void> {
  const now = tx.clock.now()
  await setAddress(tx.db, account, email)
  // Checked after setting the address: if two accounts want the same one, the second waits for the first at that point.
  if ((await isReserved(tx.db, email, now, account.id)) || (await hooks.isClosed(tx, email))) throw taken()
  await hooks.onMoved(tx, { userId: account.id, from: account.email, to: email })
}

/**
 * Moves the viewer's account to the address that the code was emailed to, and emails an undo link to the previous one.
 * Throws `invalid_credentials`, `email_taken`, `rate_limited`, and `forbidden` for administrators.
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
 * Undoes an address change and all later ones. A thief's additions can't be distinguished from the owner's, so all
 * sessions, the password, passkeys, recovery codes and linked accounts are removed; only codes emailed to the earlier
 * mailbox work. Notifies both addresses. Throws not found for a used or expired token.
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
