import type { MailGroup } from '@duet/contract/mails.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Does nothing for an erased account. */
export async function putStop(db: Db, userId: string, group: MailGroup, now: Date): Promise<void> {
  await db
    .insertInto('mail_stops')
    .columns(['user_id', 'mail_group', 'stopped_at'])
    .expression((eb) =>
      eb
        .selectFrom('accounts')
        .select(['id', sql<string>`${group}`.as('mail_group'), sql<Date>`${now}::timestamptz`.as('stopped_at')])
        .where('id', '=', userId),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'mail_group']).doNothing())
    .execute()
}

export async function findStops(db: Db, userId: string): Promise<MailGroup[]> {
  const rows = await db.selectFrom('mail_stops').select('mail_group').where('user_id', '=', userId).execute()
  return rows.map(({ mail_group }) => mail_group as MailGroup)
}

export async function deleteStops(db: Db, userId: string, groups: readonly MailGroup[]): Promise<void> {
  await db.deleteFrom('mail_stops').where('user_id', '=', userId).where('mail_group', 'in', groups).execute()
}

/** The last time the mail server reported that the mailbox of a person's current address doesn't exist. */
export function findRefusal(
  db: Db,
  userId: string,
): Promise<{ email: string; since: Date; again_at: Date | null; is_gone: boolean } | undefined> {
  return db
    .selectFrom('unreachable_mailboxes as refused')
    .innerJoin('accounts', 'accounts.id', 'refused.user_id')
    .select(['refused.email', 'refused.since', 'refused.again_at', 'refused.is_gone'])
    .where('refused.user_id', '=', userId)
    .whereRef('refused.email', '=', 'accounts.email')
    .executeTakeFirst()
}

/**
 * Records that the mail server reported a mailbox as nonexistent. The first report may be the server's fault, so news
 * pauses for a day. After a second report on another day, the mailbox counts as gone, and news pauses for 30 days.
 */
export async function putRefusal(db: Db, userId: string, email: string, now: Date): Promise<void> {
  await sql`
    insert into unreachable_mailboxes as known (user_id, email, since, again_at)
    select id, email, ${now}::timestamptz, ${now}::timestamptz + interval '20 hours' from accounts
      where id = ${userId} and email = ${email}
    on conflict (user_id) do update set (email, since, again_at, is_gone) = (select excluded.email,
        case when is_same then known.since else excluded.since end,
        case when is_gone then excluded.since + interval '30 days' else excluded.again_at end, is_gone
      from (select known.email = excluded.email as is_same,
        known.email = excluded.email and known.since <= excluded.since - interval '20 hours' as is_gone) said)`.execute(
    db,
  )
}

export async function deleteUnreachable(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('unreachable_mailboxes').where('user_id', '=', userId).execute()
}

export async function deleteRefusals(db: Db, emails: readonly string[]): Promise<void> {
  await db.deleteFrom('unreachable_mailboxes').where('email', 'in', emails).execute()
}

export interface NewsReader {
  email: string
  name: string
  language: string
}

/** The recipient of news; undefined if they are suspended, about to be erased, or have unsubscribed from `group`. */
export async function findNewsReader(db: Db, userId: string, group: MailGroup): Promise<NewsReader | undefined> {
  return db
    .selectFrom('accounts')
    .innerJoin('profiles', 'profiles.user_id', 'accounts.id')
    .select(['email', 'name', 'language'])
    .where('accounts.id', '=', userId)
    .where('standing', 'in', ['good', 'restricted'])
    .where('erase_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('mail_stops')
            .select('user_id')
            .whereRef('mail_stops.user_id', '=', 'accounts.id')
            .where('mail_group', 'in', [group, 'all']),
        ),
      ),
    )
    .executeTakeFirst()
}
