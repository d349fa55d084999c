import { expect, it, onTestFinished } from 'vitest'
import { connectOwner, migrate } from '../platform/database/database.ts'
import { untilAnswers } from '../platform/database/until-answers.ts'
import { startTestApp } from './app.ts'
import { type Person, people } from './people.ts'
import { databaseOf } from './restoring.ts'
import { connect } from './sockets.ts'
import { outgoing } from './talk.ts'

it('While functions and triggers are replaced, people write, edit and look around without failures or lost messages.', {
  tags: 'long',
}, async () => {
  const app = await startTestApp()
  onTestFinished(() => app.close())
  const owner = connectOwner(databaseOf(app), () => undefined)
  onTestFinished(() => owner.db.destroy())
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const line = await connect(app, ana)
  let answered = 0
  const failures: unknown[] = []
  let going = true
  const each = async (act: (turn: number) => Promise<{ isWell: boolean }>) => {
    for (let turn = 0; going; turn++) {
      const answer = await act(turn)
      answered++
      if (!answer.isWell) failures.push(answer)
    }
  }
  const living = Promise.all([
    each(async (turn) => {
      const answer = await line.ask('send_message', outgoing(ana, ben, `${turn}`))
      return { isWell: answer.ok === true, ...answer }
    }),
    each(async (turn) => {
      const { status, body } = await ben.send('PATCH', '/api/user/updateUser', {
        bio: `${turn}`,
        paused: turn % 2 === 0,
      })
      return { isWell: status === 200, body }
    }),
    each(async () => {
      const { status, body } = await ana.send('GET', `/api/user/${ben.id}`)
      return { isWell: status === 200, body }
    }),
  ])
  const log = { warn: () => undefined }
  for (let time = 0; time < 5; time++) {
    const before = answered
    await owner.pool.query('comment on table kysely_migration is null')
    await untilAnswers(log, () => migrate(databaseOf(app)))
    await expect.poll(() => answered).toBeGreaterThan(before + 10)
  }
  going = false
  await living
  expect(failures).toEqual([])
  const { rows } = await owner.pool.query<{ last: number; count: number }>(
    'select max(seq) as last, count(*) as count from messages',
  )
  expect(rows[0]?.count).toBe(rows[0]?.last)
})

it('While a long reader of a table blocks an update, people still write and held messages are released.', {
  tags: 'long',
}, async () => {
  const app = await startTestApp()
  onTestFinished(() => app.close())
  const owner = connectOwner(databaseOf(app), () => undefined)
  onTestFinished(() => owner.db.destroy())
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const line = await connect(app, ana)
  // Restores the state that the last release left.
  await owner.pool.query(`drop function shown_states, is_withheld cascade;
    create function banned_account_gone() returns trigger language plpgsql as 'begin return old; end';
    create trigger banned_account_gone before delete on accounts for each row execute function banned_account_gone();
    comment on table kysely_migration is null`)
  const reader = await owner.pool.connect()
  await reader.query('begin; select from accounts')
  await expect(migrate(databaseOf(app))).rejects.toThrow('lock timeout')
  expect(await line.ask('send_message', outgoing(ana, ben, 'Hello'))).toMatchObject({ ok: true })
  await owner.pool.query('select hold_unanswered($1), release_held($1)', [ana.id])
  await reader.query('commit')
  reader.release()
  await migrate(databaseOf(app))
  expect(await line.ask('send_message', outgoing(ana, ben, 'Bye'))).toMatchObject({ ok: true })
})
