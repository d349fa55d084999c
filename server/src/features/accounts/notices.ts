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
  /** Where it goes, and in which language; without, as the account has them. */
  to?: string
  language?: string
  /** The change of address that it offers to undo. */
  undoId?: string
  /** The device that it tells of. */
  device?: string
}

/**
 * Mails a person something about their account, with the commit of the transaction and until the mail server has taken it. It
 * goes to the address and in the language of this moment: whoever it warns of may change both before it is sent.
 */
export async function sendNotice({ db }: { db: Db }, payload: NoticePayload): Promise<void> {
  const reader = await findReader(db, payload.userId)
  if (reader) await addJobIn(db, 'mail-account-notice', { to: reader.email, language: reader.language, ...payload })
}

const paths: Partial<Record<Notice, string>> = { address_undone: '/login' }

/** The mail itself. Nothing is mailed for an account that is gone. */
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
