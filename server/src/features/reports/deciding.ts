import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { ReportDecision } from '@duet/contract/reports.ts'
import { after, days } from '../../platform/clock.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Actor } from '../audit/actor.ts'
import { recordInAudit } from '../audit/audit.ts'
import { dropClaim, requireClaim } from '../claims/claims.ts'
import { notify } from '../notifications/notifications.ts'
import { applyRuling, inTurn } from '../sanctions/rulings.ts'
import { lockAccount } from '../sanctions/sanctions.queries.ts'
import { sanction } from '../sanctions/sanctions.ts'
import {
  type CaseRow,
  closeReports,
  findCase,
  findFalseReports,
  forgetReportedMailboxes,
  lockCases,
} from './queue.queries.ts'
import { takeAway } from './removing.ts'

/** A person with this many false reports within this time can't report for a while. */
const falseReports = { most: 3, within: days(90), restrictionDays: 30 }

async function tellReporters(tx: Tx, cases: readonly CaseRow[], upheld: boolean): Promise<void> {
  const reporters = [...new Set(cases.flatMap(({ reporter_id }) => reporter_id ?? []))].sort()
  for (const id of reporters) await notify(tx, id, { kind: upheld ? 'report_upheld' : 'report_dismissed' })
}

const most = falseReports.most
const span = falseReports.within / days(1)
const madeUp: Record<AppLanguage, string> = {
  en: `We found that ${most} of your reports within ${span} days were made in bad faith.`,
  es: `Comprobamos que ${most} de tus denuncias en ${span} días eran de mala fe.`,
  ar: `تبيّن أن ${most} بلاغات قدّمتها خلال ${span} يومًا كانت بسوء نية.`,
}

/** Stops people who often make false reports from reporting for a while. They are notified, and may appeal. */
async function restrainFalseReporters(tx: Tx, cases: readonly CaseRow[]): Promise<void> {
  const since = after(tx.clock.now(), -falseReports.within)
  for (const id of [...new Set(cases.flatMap(({ reporter_id }) => reporter_id ?? []))].sort()) {
    const ledBy = await findFalseReports(tx.db, id, since)
    if (ledBy.length < falseReports.most) continue
    // Administrators get no automatic sanctions.
    const account = await lockAccount(tx.db, id)
    if (account?.is_super_admin) continue
    await sanction(tx, {
      userId: id,
      kind: 'reporting_restriction',
      ground: 'false_reports',
      decidedBy: null,
      ledBy: [...new Set(ledBy)],
      days: falseReports.restrictionDays,
      statement: madeUp[languageOf(account?.language)],
    })
  }
}

async function carryOut(tx: Tx, actor: Actor, found: CaseRow, decision: ReportDecision): Promise<void> {
  const userId = found.reported_id
  if (decision.action === 'dismiss') return
  if (decision.action !== 'remove_item') return void (await applyRuling(tx, actor, userId, decision, found.id))
  const { ground, statement, note, parts } = decision
  const by = { decidedBy: actor.id, requestId: actor.requestId }
  const item = await takeAway(tx, found, { by: actor.id, parts })
  await sanction(tx, { ...by, userId, kind: 'item_removed', ground, statement, note, reportId: found.id, item })
}

async function decide(tx: Tx, actor: Actor, receipt: string, decision: ReportDecision): Promise<void> {
  const found = await findCase(tx.db, receipt)
  if (!found) throw notFound()
  const cases = await lockCases(tx.db, found, decision.allOfSubject)
  if (!cases.some(({ id }) => id === found.id)) throw conflict('This has already been decided.')
  for (const one of cases) await requireClaim(tx, 'report', one.receipt, actor.id)
  const upheld = decision.action !== 'dismiss'
  const falseReport = decision.action === 'dismiss' && decision.falseReport
  const ids = cases.map(({ id }) => id)
  const outcome = upheld ? 'upheld' : 'dismissed'
  await closeReports(tx.db, ids, { outcome, falseReport, by: actor.id, now: tx.clock.now() })
  for (const one of cases) await dropClaim(tx, 'report', one.receipt, actor.id)
  await tellReporters(tx, cases, upheld)
  await carryOut(tx, actor, found, decision)
  await forgetReportedMailboxes(tx.db, ids)
  if (falseReport) await restrainFalseReporters(tx, cases)
  await recordInAudit(tx, {
    actorId: actor.id,
    action: 'report_decided',
    reason: decision.note,
    requestId: actor.requestId,
    target: { kind: 'report', id: receipt, person: found.reported_id },
    details: { action: decision.action, receipts: cases.map((one) => one.receipt), falseReport },
  })
}

/**
 * Decides a report, and with `allOfSubject` all open reports about the same subject, in one transaction: closes them,
 * sanctions the person and gives them the reasons, tells the reporters that their report was reviewed, and writes the
 * audit log. Throws not found; forbidden for reports by or about the actor or about super administrators; conflict if
 * the report is already decided or claimed by another administrator, or if the item to remove is gone.
 */
export async function decideReport(
  platform: Platform,
  actor: Actor,
  receipt: string,
  decision: ReportDecision,
): Promise<void> {
  await inTurn(platform, (tx) => decide(tx, actor, receipt, decision))
}
