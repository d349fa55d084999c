import { after, type Clock, days } from '../../platform/clock.ts'
import { hashToken } from '../../platform/security/session.ts'
import type { Rows } from './rows.ts'

export interface Newcomer {
  id: string
  token: string
  session: string
  name: string
  gender?: 'woman' | 'man'
}

const accountColumns = 'id, email, terms_accepted_at, created_at'
const sessionColumns =
  'token_hash, id, user_id, device, created_at, authenticated_at, last_seen_at, idle_expires_at, expires_at'

/** Inserts a person by copying the one named Model, because a real sign-up takes long. */
export async function putNewcomer(rows: Rows, clock: Clock, { id, token, session, name, gender }: Newcomer) {
  const [now, later] = [clock.now(), after(clock.now(), days(7))]
  await rows.query(`insert into accounts (${accountColumns}) values ($1, $2, $3, $3)`, [id, `${id}@example.com`, now])
  await rows.query(
    `insert into profiles select (jsonb_populate_record(p, jsonb_build_object('user_id', $1::text, 'name', $2::text,
       'gender', $4::text, 'created_at', $3::timestamptz, 'last_active_at', $3::timestamptz))).*
     from profiles p where name = 'Model'`,
    [id, name, now, gender ?? null],
  )
  await rows.query(`insert into sessions (${sessionColumns}) values ($1, $2, $3, 'Twin', $4, $4, $4, $5, $5)`, [
    hashToken(token),
    session,
    id,
    now,
    later,
  ])
}
