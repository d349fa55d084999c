import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from '../faults/device.ts'
import type { Site } from '../faults/world.ts'

export interface Reading {
  /**
   * The number of lists that loaded, of people in them, and of those people who had left before the list was requested.
   */
  counts: { lists: number; shown: number; wrong: number }
  stop(): Promise<void>
}

/** Removes all filters of a profile, so that it fits with everyone everywhere. */
const meetsEveryone = `update profiles set interested_in = '{}', max_distance_km = null, age_min = 18, age_max = 99,
  preferences = '{}', paused = false where user_id = any($1)`

/** The two ways to leave, used in turns: being paused, or an age filter that excludes the viewer. */
const leaving = [{ paused: true }, { ageMin: 99 }]
const comingBack = { paused: false, ageMin: 18 }

/** Loads the lists of nearby people, which come from replicas, while people leave and come back. */
export async function startReading(site: Site, [viewer, ...others]: readonly Person[]): Promise<Reading> {
  const counts = { lists: 0, shown: 0, wrong: 0 }
  /** Who has left, and the number of that leaving: someone may come back and leave again during one list. */
  const gone = new Map<string, number>()
  let isOver = false
  let turn = 0
  let leavings = 0
  async function ask(person: Person | undefined, path: string, init: RequestInit = {}) {
    const node = site.nodes[turn++ % site.nodes.length]
    const headers = { authorization: `Bearer ${person?.tokens[0]}`, 'content-type': 'application/json' }
    const url = `http://127.0.0.1:${node?.port}${path}`
    const signal = AbortSignal.timeout(20_000)
    return fetch(url, { ...init, headers, signal })
      .then(async (answer) => (answer.ok ? ((await answer.json()) as { users?: { id: string }[] }) : undefined))
      .catch(() => undefined)
  }
  async function leaveInTurn(): Promise<void> {
    for (let place = 0; !isOver; place = (place + 1) % others.length) {
      const person = others[place] as Person
      const wasGone = gone.delete(person.id)
      const body = JSON.stringify(wasGone ? comingBack : leaving[place % leaving.length])
      const answer = await ask(person, '/api/user/updateUser', { method: 'PATCH', body })
      if (answer && !wasGone) gone.set(person.id, ++leavings)
      await sleep(100)
    }
  }
  async function look(): Promise<void> {
    while (!isOver) {
      const before = new Map(gone)
      const answer = await ask(viewer, '/api/user/nearBy')
      const { users = [] } = answer ?? {}
      if (answer) counts.lists++
      counts.shown += users.length
      counts.wrong += users.filter(({ id }) => before.has(id) && before.get(id) === gone.get(id)).length
      await sleep(50)
    }
  }
  await site.query(meetsEveryone, [[viewer, ...others].map((person) => person?.id)])
  const running = Promise.all([leaveInTurn(), look()])
  return {
    counts,
    async stop() {
      isOver = true
      await running
      await site.query(meetsEveryone, [others.map(({ id }) => id)])
    },
  }
}
