import type { Db } from '../../platform/database/database.ts'
import { languageOf } from '../../platform/http/language.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Platform } from '../../platform/platform.ts'
import { findReader } from './accounts.queries.ts'
import { type Notice, noticeWords } from './notice-words.ts'
import { undoToken } from './undo-token.ts'

interface NoticePayload {
  userId: string
  notice: Notice
  /** Where it goes; without, to the address of the account. */
  to?: string
  /** The change of address that it offers to undo. */
  undoId?: string
}

/** Mails a person something about their account, with the commit of the transaction and until the mail server has taken it. */
export function sendNotice({ db }: { db: Db }, payload: NoticePayload): Promise<void> {
  return addJobIn(db, 'mail-account-notice', payload)
}

const paths: Partial<Record<Notice, string>> = { address_undone: '/login' }

/** The mail itself. Nothing is mailed for an account that is gone. */
export async function mailNotice(platform: Platform, { userId, notice, to, undoId }: NoticePayload): Promise<void> {
  const reader = await findReader(platform.db, userId)
  if (!reader) return
  const { config } = platform
  const { subject, said, link, after } = noticeWords[languageOf(reader.language)][notice]
  const path = undoId ? `/undo-address#${undoToken(platform.secrets, undoId)}` : (paths[notice] ?? '/settings/account')
  const address = `${config.publicUrl ?? `http://localhost:${config.port}`}${path}`
  const parts = [said, ...(link ? [`${link}\n${address}`] : []), ...(after ? [after] : [])]
  await platform.mailer.send({ to: to ?? reader.email, subject, text: `${parts.join('\n\n')}\n` })
}
