import type { Message } from '@duet/contract/conversations.ts'
import type { OpenReport, ReportReason, ReportSubject } from '@duet/contract/reports.ts'
import type { Person } from '../../test/people.ts'
import type { Client } from '../../test/sockets.ts'
import { outgoing } from '../../test/talk.ts'

export const profile: ReportSubject = { kind: 'profile' }
export const message = (seq: number): ReportSubject => ({ kind: 'message', seq })

interface More {
  reason?: ReportReason
  details?: string
  block?: boolean
}
export const report = (who: Person, userId: string, subject: ReportSubject = profile, more: More = {}) =>
  who.call('POST /api/reports', { body: { userId, subject, reason: 'harassment', ...more } })

export async function receiptOf(...given: Parameters<typeof report>): Promise<string> {
  const { status, body } = await report(...given)
  if (status !== 201) throw new Error(`not reported: ${JSON.stringify(body)}`)
  return body.receipt
}

export async function openReports(admin: Person, limit = 50): Promise<OpenReport[]> {
  const all: OpenReport[] = []
  let cursor: string | null = null
  do {
    const query: { limit: number; cursor?: string } = { limit, ...(cursor && { cursor }) }
    const { body } = await admin.call('GET /api/admin/reports', { query })
    all.push(...body.reports)
    cursor = body.nextCursor
  } while (cursor)
  return all
}
export async function kept(admin: Person, receipt: string): Promise<OpenReport> {
  const found = (await openReports(admin)).find((one) => one.receipt === receipt)
  if (!found) throw new Error(`no report ${receipt}`)
  return found
}

export async function say(
  from: Person,
  to: Person,
  socket: Client,
  text: string,
  more: Record<string, unknown> = {},
): Promise<Message> {
  const ack = await socket.ask('send_message', outgoing(from, to, text, more))
  if (ack.ok !== true) throw new Error(`not sent: ${JSON.stringify(ack)}`)
  return ack.message as Message
}
