import { randomUUID } from 'node:crypto'
import type { Ground, JudgedSanction, Sanction, SanctionKind, Standing } from '@duet/contract/sanctions.ts'
import { after, days } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { eachOne } from '../../platform/jobs/each-one.ts'
import type { JobSpec } from '../../platform/jobs/jobs.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { JobPlatforms, Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { recordInAudit } from '../audit/audit.ts'
import { setFoundAfter } from '../candidates/candidates.ts'
import { openReview } from '../claims/open-review.ts'
import { mailPerson } from '../mails/sending.ts'
import { notify } from '../notifications/notifications.ts'
import { showAnew } from '../presence/presence.ts'
import { revokeVerification } from '../verification/badge.ts'
import {
  countStrikes,
  deleteSessions,
  findAddress,
  findLive,
  findOverdue,
  findSanctions,
  forgetMailboxes,
  insertSanction,
  type KeptItem,
  keepForReported,
  lockAccount,
  markLifted,
  type SanctionRow,
  sessionIds,
  updateStanding,
} from './sanctions.queries.ts'
import { statementMail } from './statement-mail.ts'

const strikeLife = days(365)
const standingPath = '/standing'

export interface NewSanction {
  userId: string
  kind: SanctionKind
  ground: Ground
  /** The facts, as told to the person. */
  statement: string
  /** Null for automatic sanctions. */
  decidedBy: string | null
  /** The administrators whose decisions led to an automatic sanction. None of them may decide the appeal against it. */
  ledBy?: readonly string[]
  /** Goes only into the audit log. */
  note?: string | undefined
  requestId?: string | undefined
  reportId?: number | undefined
  /** Without `days` and `until`, the sanction lasts until it is lifted. */
  days?: number | undefined
  /** The end, instead of `days`. */
  until?: Date | undefined
  item?: KeptItem | undefined
  /**
   * False for a photo rejected in a review: the rejection doesn't count in later decisions, and the badge moves to the
   * remaining photos.
   */
  isStrike?: boolean
}

const isProtected = () =>
  new AppError(
    'forbidden',
    'This is a super administrator. Their rights have to be taken back first: npm run admin -- revoke EMAIL',
  )

const isShutOut = (standing: Standing | undefined) => standing === 'suspended' || standing === 'banned'

/**
 * Sets an account's standing from its live sanctions. A newly suspended or banned person is signed out everywhere, and
 * their live connections close. Later decisions don't end the session in which the person reads and appeals them.
 */
export async function settleStanding(tx: Tx, userId: string): Promise<void> {
  const settled = await updateStanding(tx.db, userId, tx.clock.now())
  const ids = await sessionIds(tx.db, userId)
  const ends = isShutOut(settled?.standing) && !isShutOut(settled?.before)
  if (ends) await deleteSessions(tx.db, userId)
  if (isShutOut(settled?.before) && !isShutOut(settled?.standing)) await setFoundAfter(tx, [userId])
  tx.afterCommit(({ sessions, realtime }) => {
    for (const id of ids) {
      sessions.forget(id)
      if (ends) realtime.endSession(id)
    }
    showAnew({ realtime }, userId)
  })
}

function recordSanction(tx: Tx, given: NewSanction, id: string, endsAt: Date | null): Promise<void> {
  const { userId, kind, ground, decidedBy, requestId, item, note = '' } = given
  const details = { sanction: id, ground, until: endsAt?.toISOString() ?? null, item: item?.kind ?? null }
  const target = { kind: 'person', id: userId }
  return recordInAudit(tx, {
    actorId: decidedBy,
    action: `sanctioned_${kind}`,
    target,
    reason: note,
    details,
    requestId,
  })
}

/**
 * Sanctions a person: stores the sanction with its statement of reasons, updates their standing, notifies them in the
 * app and by email, and writes the audit log. A shadow restriction notifies nobody. Returns the sanction's id. Throws
 * forbidden for super administrators if the sanction is a strike. Call it last in the transaction; only audit log
 * entries may follow.
 */
export async function sanction(tx: Tx, given: NewSanction): Promise<string> {
  const { userId, kind, ground, decidedBy, isStrike = true } = given
  const account = await lockAccount(tx.db, userId)
  if (account?.is_super_admin && isStrike) throw isProtected()
  const now = tx.clock.now()
  const endsAt = given.until ?? (given.days === undefined ? null : after(now, days(given.days)))
  // For erased people, only a random id is stored, without a statement.
  const ofThem = account ? { userId, statement: given.statement } : { userId: randomUUID(), statement: '' }
  const row = { ...ofThem, kind, ground, decidedBy, now, endsAt, item: (account && given.item) ?? null }
  const more = { reportId: given.reportId ?? null, ledBy: given.ledBy ?? [], isStrike }
  const id = await insertSanction(tx.db, { ...row, ...more })
  if (!account && given.reportId !== undefined && (await keepForReported(tx.db, id, given.reportId)))
    await addJobIn(tx.db, 'continue-sanction', { sanctionId: id })
  await settleStanding(tx, userId)
  if (account && (kind === 'suspension' || kind === 'ban'))
    await addJobIn(tx.db, 'compare-others', { userId }, `compare-others:${userId}`)
  if (account && ground === 'fake_profile' && kind !== 'shadow' && isStrike) await revokeVerification(tx, userId)
  if (account && kind !== 'shadow') {
    await notify(tx, userId, { kind: isStrike ? 'sanctioned' : 'photo_rejected', link: standingPath })
    await addJobIn(tx.db, 'mail-statement', { sanctionId: id })
  }
  await recordSanction(tx, given, id, endsAt)
  return id
}

/**
 * Ends a live sanction, updates the person's standing and tells them. False if it had already ended. In that case, only
 * a reversal still has an effect, because a mistake isn't a strike.
 */
export async function endSanction(
  tx: Tx,
  row: Pick<SanctionRow, 'id' | 'user_id' | 'kind'>,
  how: { as: 'ended' | 'reversed' | 'lifted'; by: string | null; told?: boolean },
): Promise<boolean> {
  const account = await lockAccount(tx.db, row.user_id)
  if (!(await markLifted(tx.db, row.id, { ...how, now: tx.clock.now() }))) return false
  if (how.as !== 'ended') await forgetMailboxes(tx.db, row)
  await settleStanding(tx, row.user_id)
  if (account) await addJobIn(tx.db, 'release-held', { userId: row.user_id })
  if (account && row.kind !== 'shadow' && how.told !== false)
    await notify(tx, row.user_id, { kind: 'sanction_lifted', link: standingPath })
  return true
}

async function endOne(tx: Tx, id: string): Promise<void> {
  const [row] = await findSanctions(tx.db, [id])
  const account = row && (await lockAccount(tx.db, row.user_id))
  if (!row || !(await endSanction(tx, row, { as: 'ended', by: null }))) return
  // The person was never told of the restriction, so an administrator reviews it once it has ended. An erased account
  // leaves nothing to review.
  if (row.kind === 'shadow' && account)
    await openReview(tx, { kind: 'shadow_ended', userId: row.user_id, note: row.statement })
  const target = { kind: 'person', id: row.user_id }
  await recordInAudit(tx, {
    actorId: null,
    action: 'sanction_ended',
    target,
    reason: 'its time is over',
    details: { sanction: id },
  })
}

/** Ends sanctions past their end. A failure doesn't stop the others. */
export async function endOverdueSanctions(platform: Platform): Promise<void> {
  const overdue = await findOverdue(platform.db, platform.clock.now(), 500)
  const message = 'a sanction could not be ended; it is tried again'
  await eachOne(platform, overdue, message, ({ id }) => transaction(platform, (tx) => endOne(tx, id)))
}

/**
 * Emails a person the decision about them, its reasons and how to appeal. Sends nothing if the account is gone or the
 * decision was undone.
 */
async function mailStatement(platform: Platform, sanctionId: string): Promise<void> {
  const [row] = await findSanctions(platform.db, [sanctionId])
  if (row?.lifted_as === 'lifted') return
  const address = row && (await findAddress(platform.db, row.user_id))
  if (address) await mailPerson(platform, row.user_id, statementMail(platform, row, address))
}

/** Counts strikes of the last twelve months that weren't reversed. */
export async function strikesOf(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  userIds: readonly string[],
): Promise<(userId: string) => number> {
  const counts = await countStrikes(db, userIds, after(clock.now(), -strikeLife))
  return (userId) => counts.get(userId) ?? 0
}

/**
 * Suggests a sanction: the more severe the report and the more strikes, the harsher. The administrator may decide
 * otherwise.
 */
export function suggestAction(severity: 'urgent' | 'high' | 'normal', strikes: number) {
  const ladder = ['warn', 'restrict', 'suspend', 'ban'] as const
  const first = { urgent: 2, high: 1, normal: 0 }[severity]
  return ladder[Math.min(first + strikes, ladder.length - 1)] ?? 'ban'
}

/** Leaves out what only administrators or only the sanctioned person may see. */
export function sanctionView(row: SanctionRow): Sanction {
  return {
    id: row.id,
    kind: row.kind,
    ground: row.ground,
    statement: row.statement,
    automated: row.automated,
    item: row.item_kind,
    createdAt: row.created_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    liftedAt: row.lifted_at?.toISOString() ?? null,
    liftedAs: row.lifted_as,
    ...(row.undelivered && { undelivered: true as const }),
  }
}

export function judgedView(row: SanctionRow): JudgedSanction {
  const { decided_by: id, decided_by_name: name } = row
  return {
    ...sanctionView(row),
    decidedBy: id !== null && name !== null ? { id, name } : null,
    appeal: row.appeal_state,
  }
}

/** Throws `restricted` while the person may not report others. */
export async function requireReporting({ db, clock }: Pick<Platform, 'db' | 'clock'>, userId: string): Promise<void> {
  const live = await findLive(db, userId, 'reporting_restriction', clock.now())
  if (!live) return
  const until = live.ends_at ? ` until ${live.ends_at.toISOString().slice(0, 10)}` : ''
  throw new AppError('restricted', `You may not report${until}: ${live.statement}`)
}

export const sanctionJobs = ({ platform }: JobPlatforms): JobSpec[] => [
  { name: 'end-sanctions', cron: '* * * * *', run: () => endOverdueSanctions(platform) },
  {
    name: 'mail-statement',
    waitsFor: 'mail',
    run: (payload) => mailStatement(platform, (payload as { sanctionId: string }).sanctionId),
  },
]
