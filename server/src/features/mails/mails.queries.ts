import type { MailGroup } from '@duet/contract/mails.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** Notes that a person stopped a group of mails; nothing for a person who is gone. */
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

/** What a person has stopped. */
export async function findStops(db: Db, userId: string): Promise<MailGroup[]> {
  const rows = await db.selectFrom('mail_stops').select('mail_group').where('user_id', '=', userId).execute()
  return rows.map(({ mail_group }) => mail_group as MailGroup)
}

export async function deleteStops(db: Db, userId: string, groups: readonly MailGroup[]): Promise<void> {
  await db.deleteFrom('mail_stops').where('user_id', '=', userId).where('mail_group', 'in', groups).execute()
}

/** Since when the mailbox of a person's present address refuses mails. */
export async function findUnreachable(db: Db, userId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('unreachable_mailboxes as gone')
    .innerJoin('accounts', 'accounts.id', 'gone.user_id')
    .select('gone.since')
    .where('gone.user_id', '=', userId)
    .whereRef('gone.email', '=', 'accounts.email')
    .executeTakeFirst()
  return row?.since
}

/** Notes that a mailbox refuses mails, from the first time on. */
export async function putUnreachable(db: Db, userId: string, email: string, now: Date): Promise<void> {
  await db
    .insertInto('unreachable_mailboxes')
    .columns(['user_id', 'email', 'since'])
    .expression((eb) =>
      eb
        .selectFrom('accounts')
        .select(['id', 'email', sql<Date>`${now}::timestamptz`.as('since')])
        .where('id', '=', userId)
        .where('email', '=', email),
    )
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet((eb) => ({ email: eb.ref('excluded.email'), since: eb.ref('excluded.since') }))
        .whereRef('unreachable_mailboxes.email', '<>', 'excluded.email'),
    )
    .execute()
}

export async function deleteUnreachable(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('unreachable_mailboxes').where('user_id', '=', userId).execute()
}

export async function deleteUnreachableAddress(db: Db, email: string): Promise<void> {
  await db.deleteFrom('unreachable_mailboxes').where('email', '=', email).execute()
}

export interface NewsReader {
  email: string
  name: string
  language: string
}

/** Where news may be mailed to a person: nowhere while they are suspended, about to be erased, or have stopped `group`. */
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
