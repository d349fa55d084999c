import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ownerOf, startTestApp, type TestApp } from '../../test/app.ts'
import { centreOf } from '../cells/cells.ts'

const rounds = 1_000
const atOnce = 5

async function makePeople(app: TestApp, count: number): Promise<string[]> {
  const { cell, latitude, longitude } = centreOf('871f1d489ffffff')
  const { rows } = await app.platform.pool.query<{ id: string }>(
    `with a as (insert into accounts (email, terms_accepted_at, created_at)
        select 'p' || n || '@example.com', now(), now() from generate_series(1, $1) n returning id),
      p as (insert into profiles (user_id, name, birth_date, last_active_at, created_at)
        select id, 'Jun', '1994-05-17', now(), now() from a returning user_id)
    insert into locations (user_id, cell, published_cell, latitude, longitude, area, published_at)
      select user_id, $2, $2, $3, $4, 'Berlin', now() from p returning user_id as id`,
    [count, cell, latitude, longitude],
  )
  return rows.map(({ id }) => id)
}

async function startProcess(app: TestApp): Promise<ChildProcess> {
  const { host, port, user, database } = ownerOf(app.platform)
  const child = fork(fileURLToPath(new URL('./race.test-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      RACE_DATABASE: JSON.stringify({ host, port, user, database }),
      RACE_DATA_DIR: app.platform.config.dataDir,
    },
  })
  await once(child, 'message')
  return child
}

type Answer = { matched: boolean } | { error: string }

async function likeFrom(child: ChildProcess, pairs: [string, string][]): Promise<Answer[]> {
  const answered = once(child, 'message')
  child.send(pairs)
  return (await answered)[0]
}

it('two simultaneous likes from two processes make one match, one conversation and two notifications, every time', {
  tags: ['long', 'race'],
}, async () => {
  const app = await startTestApp()
  const people = await makePeople(app, 2 * rounds)
  const [one, other] = await Promise.all([startProcess(app), startProcess(app)])
  try {
    for (let round = 0; round < rounds; round += atOnce) {
      const pairs = Array.from({ length: atOnce }, (_, n): [string, string] => [
        people[2 * (round + n)] as string,
        people[2 * (round + n) + 1] as string,
      ])
      const back = pairs.map(([ana, ben]): [string, string] => [ben, ana])
      const [answers, answersBack] = await Promise.all([likeFrom(one, pairs), likeFrom(other, back)])
      for (const [n, answer] of answers.entries()) {
        expect([answer, answersBack[n]]).toContainEqual({ matched: true })
        expect([answer, answersBack[n]].every((some) => some && 'matched' in some)).toBe(true)
      }
    }
    const { rows } = await app.platform.pool.query(`
      select (select count(*)::int from matches) as matches, (select count(*)::int from conversations) as conversations,
        (select count(*)::int from conversation_members where listed) as listed,
        (select count(*)::int from notifications) as notifications,
        (select count(distinct user_id)::int from notifications where kind = 'match') as told`)
    expect(rows[0]).toEqual({
      ...{ matches: rounds, conversations: rounds, listed: 2 * rounds },
      ...{ notifications: 2 * rounds, told: 2 * rounds },
    })
  } finally {
    const ended = Promise.all([once(one, 'exit'), once(other, 'exit')])
    one.disconnect()
    other.disconnect()
    await ended
    await app.close()
  }
})
