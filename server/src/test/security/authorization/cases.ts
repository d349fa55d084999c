import type { Rows } from '../rows.ts'

/**
 * The ids of everything about a person: an open report, two sanctions, an appeal against one of them, a review, a
 * shared date, and identities at two providers, one of them removed.
 */
export interface Cases {
  report: string
  sanction: string
  appeal: string
  review: string
  date: string
  identity: string
  removedIdentity: string
}

const evidence = JSON.stringify({ profile: null, photos: [], messages: [] })

/** Creates these rows without naming an administrator who decided on them. */
export async function openCases(rows: Rows, { id, name }: { id: string; name: string }): Promise<Cases> {
  const one = async (text: string, values: unknown[]) => String((await rows.query(text, values))[0]?.id)
  const sanction = `insert into sanctions (user_id, kind, ground, statement, automated, created_at)
    values ($1, 'warning', 'spam', 'What was written to many people.', false, now()) returning id`
  const linked = `insert into identities (issuer, subject, user_id, created_at, removed_at)
    values ($2, $1::text, $1::uuid, now(), $3) returning id`
  const appealed = await one(sanction, [id])
  return {
    report: await one(
      `insert into reports (reported_id, reported_name, subject, reason, evidence, created_at)
       values ($1, $2, '{"kind":"profile"}', 'other', $3, now()) returning receipt as id`,
      [id, name, evidence],
    ),
    sanction: await one(sanction, [id]),
    appeal: await one(
      `insert into appeals (sanction_id, user_id, text, created_at)
       values ($1, $2, 'It was someone else, I was away.', now()) returning id`,
      [appealed, id],
    ),
    review: await one(
      "insert into reviews (kind, user_id, note, created_at) values ('test', $1, 'Seen by a test.', now()) returning id",
      [id],
    ),
    date: await one(
      `insert into shared_dates (id, user_id, token_hash, place, at, created_at, expires_at)
       values (gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), 'A park', now(), now(), now() + interval '1 day') returning id`,
      [id],
    ),
    identity: await one(linked, [id, 'https://one.example', null]),
    removedIdentity: await one(linked, [id, 'https://other.example', new Date(0)]),
  }
}
