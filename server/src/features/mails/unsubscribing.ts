import { MailGroup } from '@duet/contract/mails.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'
import { putStop } from './mails.queries.ts'

/*
 * A token names a person and a group of mails. It is sealed: people who see the mail, or forward it, learn no id, and no
 * one can make one. It never expires, as a mail does not; it can do nothing but stop mails.
 */

type Keyed = Pick<Platform, 'secrets'>

const purpose = 'unsubscribe'
const tokenPattern = /^[A-Za-z0-9_-]{40,200}$/

/** What lets anyone who has it stop a group of mails to a person. */
export const unsubscribeToken = ({ secrets }: Keyed, userId: string, group: MailGroup): string =>
  seal(secrets, purpose, purpose, Buffer.from(`${group} ${userId}`)).toString('base64url')

/** Whose mails a token stops, and which; undefined for what is no token of ours. */
function readToken({ secrets }: Keyed, token: string): { userId: string; group: MailGroup } | undefined {
  if (!tokenPattern.test(token)) return undefined
  const [group, userId = ''] =
    open(secrets, purpose, purpose, Buffer.from(token, 'base64url'))?.toString().split(' ') ?? []
  const known = MailGroup.safeParse(group)
  return known.success ? { userId, group: known.data } : undefined
}

/**
 * Stops the mails that a token names, and gives their group. The same for people who are gone, and when they are stopped
 * already. Throws not found for what is no token.
 */
export async function unsubscribe(platform: Keyed & Pick<Platform, 'db' | 'clock'>, token: string): Promise<MailGroup> {
  const named = readToken(platform, token)
  if (!named) throw notFound()
  await putStop(platform.db, named.userId, named.group, platform.clock.now())
  return named.group
}

/** Where a token leads: mail programs post to `oneClick`, and people are shown `page`. */
export function unsubscribeUrls(platform: Keyed & Pick<Platform, 'config'>, userId: string, group: MailGroup) {
  const { publicUrl, port } = platform.config
  const [base, token] = [publicUrl ?? `http://localhost:${port}`, unsubscribeToken(platform, userId, group)]
  return { oneClick: `${base}/api/mail/unsubscribe?token=${token}`, page: `${base}${pageOf(token)}` }
}

/** The page of a token, within our own address. */
export const pageOf = (token: string): string => `/unsubscribe?token=${encodeURIComponent(token)}`
