import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

/** Decides, and repeats when the database was too busy; nothing was stored then. */
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

/** Likes awaiting the viewer's answer, and their number. */
export const received = async (viewer: Person) => (await viewer.call('GET /api/likes')).body

/** Names of the people a viewer has decided about in this way, latest first. */
export const made = async (viewer: Person, decision: 'like' | 'pass' | 'later') =>
  (await viewer.call('GET /api/decisions', { query: { decision } })).body.decisions.map(({ user }) => user.name)

/** A person's notifications, except about newcomers: all people in a test live in one place. */
export const kinds = async (viewer: Person) =>
  (await viewer.call('GET /api/notifications')).body.notifications
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'nearby')

/** Matches whose conversation lacks a member row; those rows are the first check for a match. */
export async function matchesAlone({ platform }: TestApp): Promise<unknown[]> {
  const { rows } = await platform.pool.query(`select m.id from matches m where (
    select count(*) from conversation_members o where o.conversation_id = m.id and o.user_id in (m.user_lo, m.user_hi)) < 2`)
  return rows
}
