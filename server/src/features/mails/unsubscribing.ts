import { MailGroup } from '@duet/contract/mails.ts'
import { notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { open, seal } from '../../platform/security/sealed.ts'
import { putStop } from './mails.queries.ts'

/*
 * A token names a person and a group of emails. It is sealed, so that it can't be forged and doesn't reveal an id to
 * people who see or forward the email. It never expires, because emails don't either, and all it can do is unsubscribe.
 */

type Keyed = Pick<Platform, 'secrets'>

const purpose = 'unsubscribe'
const tokenPattern = /^[A-Za-z0-9_-]{40,200}$/

/** Anyone who has this token can unsubscribe the person from the group. */
export const unsubscribeToken = ({ secrets }: Keyed, userId: string, group: MailGroup): string =>
  seal(secrets, purpose, purpose, Buffer.from(`${group} ${userId}`)).toString('base64url')

function readToken({ secrets }: Keyed, token: string): { userId: string; group: MailGroup } | undefined {
  if (!tokenPattern.test(token)) return undefined
  const [group, userId = ''] =
    open(secrets, purpose, purpose, Buffer.from(token, 'base64url'))?.toString().split(' ') ?? []
  const known = MailGroup.safeParse(group)
  return known.success ? { userId, group: known.data } : undefined
}

/**
 * Unsubscribes the person that a token names, and returns the group. Also succeeds for repeated calls and erased
 * people. Throws not found for an invalid token.
 */
export async function unsubscribe(platform: Keyed & Pick<Platform, 'db' | 'clock'>, token: string): Promise<MailGroup> {
  const named = readToken(platform, token)
  if (!named) throw notFound()
  await putStop(platform.db, named.userId, named.group, platform.clock.now())
  return named.group
}

/** Email programs post to `oneClick`, and people open `page`. */
export function unsubscribeUrls(platform: Keyed & Pick<Platform, 'config'>, userId: string, group: MailGroup) {
  const { publicUrl, port } = platform.config
  const [base, token] = [publicUrl ?? `http://localhost:${port}`, unsubscribeToken(platform, userId, group)]
  return { oneClick: `${base}/api/mail/unsubscribe?token=${token}`, page: `${base}${pageOf(token)}` }
}

export const pageOf = (token: string): string => `/unsubscribe?token=${encodeURIComponent(token)}`
