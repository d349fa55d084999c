import type { Db } from '../../platform/database/database.ts'
import { languageOf } from '../../platform/http/language.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Platform } from '../../platform/platform.ts'
import { mailPerson } from '../mails/sending.ts'
import { findReader } from './accounts.queries.ts'
import { type Notice, noticeWords } from './notice-words.ts'
import { undoToken } from './undo-token.ts'

interface NoticePayload {
  userId: string
  notice: Notice
  /** Default to the account's. */
  to?: string
  language?: string
  undoId?: string
  device?: string
}

/**
 * Queues an email about the account within the transaction; the job retries until the mail server accepts it. Stores
 * the current address and language, because a thief may change both before the email is sent.
 */
export async function sendNotice({ db }: { db: Db }, payload: NoticePayload): Promise<void> {
  const reader = await findReader(db, payload.userId)
  if (reader) await addJobIn(db, 'mail-account-notice', { to: reader.email, language: reader.language, ...payload })
}

const paths: Partial<Record<Notice, string>> = { address_undone: '/login' }

/** Does nothing if the account no longer exists. */
export async function mailNotice(
  platform: Platform,
  { userId, notice, to, language, undoId, device = '' }: NoticePayload,
): Promise<void> {
  const reader = await findReader(platform.db, userId)
  if (!reader) return
  const { config } = platform
  const { subject, said, link, after } = noticeWords[languageOf(language ?? reader.language)][notice]
  const path = undoId ? `/undo-address#${undoToken(platform.secrets, undoId)}` : (paths[notice] ?? '/settings/account')
  const address = `${config.publicUrl ?? `http://localhost:${config.port}`}${path}`
  const parts = [said.replace('{device}', device), ...(link ? [`${link}\n${address}`] : []), ...(after ? [after] : [])]
  await mailPerson(platform, userId, { to: to ?? reader.email, subject, text: `${parts.join('\n\n')}\n` })
}
