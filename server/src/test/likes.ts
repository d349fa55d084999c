import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

/** Sends a decision, and repeats it when the database was too busy, in which case nothing was stored. */
async function decide(viewer: Person, userId: string, body: object) {
  for (;;) {
    const answer = await viewer.call('PUT /api/decisions/:userId', { params: { userId }, body: body as never })
    if (answer.status !== 503 || (answer.body as { code?: string }).code !== 'retry') return answer
  }
}
export const like = (viewer: Person, userId: string, more: object = {}) =>
  decide(viewer, userId, { decision: 'like', ...more })
export const pass = (viewer: Person, userId: string) => decide(viewer, userId, { decision: 'pass' })
export const later = (viewer: Person, userId: string) => decide(viewer, userId, { decision: 'later' })

export const received = async (viewer: Person) => (await viewer.call('GET /api/likes')).body

/** Names of the people on whom a viewer made this decision, latest first. */
export const made = async (viewer: Person, decision: 'like' | 'pass' | 'later') =>
  (await viewer.call('GET /api/decisions', { query: { decision } })).body.decisions.map(({ user }) => user.name)

/** A person's notifications, except those about newcomers: all people in a test live in one place. */
export const kinds = async (viewer: Person) =>
  (await viewer.call('GET /api/notifications')).body.notifications
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'nearby')

/** Matches without a member row in their conversation. Checks for a match read those rows first. */
export async function matchesAlone({ platform }: TestApp): Promise<unknown[]> {
  const { rows } = await platform.pool.query(`select m.id from matches m where (
    select count(*) from conversation_members o where o.conversation_id = m.id and o.user_id in (m.user_lo, m.user_hi)) < 2`)
  return rows
}
