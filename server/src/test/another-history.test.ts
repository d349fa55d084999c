import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it, onTestFinished } from 'vitest'
import { bringUpToDate, currentIndex } from '../features/candidates/keep-index.ts'
import { syncConversations } from '../features/conversations/listing.ts'
import { migrate } from '../platform/database/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { createLogger } from '../platform/logger.ts'
import { startTestApp, type TestApp } from './app.ts'
import { type Person, people } from './people.ts'
import { connect } from './sockets.ts'
import { outgoing } from './talk.ts'

const patient = { timeout: 60_000 }
const dataDir = join(inject('folder'), 'history')
const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', join(dataDir, from), join(dataDir, to)])

let postgres: EmbeddedPostgres
const start = async () => {
  const settings = { wal_level: 'replica', restore_command: 'false' }
  postgres = await startEmbeddedPostgres({ dataDir, log: createLogger('silent'), durable: false, settings })
}

/** Uses up transaction ids, like other activity in the database would. */
const useNumbers = ({ platform: { pool } }: TestApp) =>
  pool.query(`do $$ begin for n in 1..500 loop perform pg_current_xact_id(); commit; end loop; end $$`)

/** Replaces the server with one that lacks the newest changes, like a failover to a lagging replica does. */
async function failOver(): Promise<void> {
  await postgres.stop()
  await rm(join(dataDir, 'postgres'), { recursive: true })
  await copy('behind', 'postgres')
  await writeFile(join(dataDir, 'postgres/recovery.signal'), '')
  await start()
}

it('After a failover that lost changes, cursors and the people index restart and miss nothing that follows.', {
  tags: 'long',
}, async () => {
  await start()
  onTestFinished(() => postgres.stop())
  await migrate(postgres.connection)
  const app = await startTestApp({ LOG_LEVEL: 'silent' }, { database: { config: postgres.connection } })
  onTestFinished(() => app.close())
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  const first = await connect(app, ana)
  await first.ask('send_message', outgoing(ana, ben, 'before'))
  await postgres.stop()
  await copy('postgres', 'behind')
  await start()

  await expect
    .poll(
      () =>
        useNumbers(app).then(
          () => 'used',
          () => 'away',
        ),
      patient,
    )
    .toBe('used')
  const { cursor } = await syncConversations(app.platform, ben.id)
  await expect.poll(() => currentIndex(app.platform), patient).toBeDefined()
  const index = currentIndex(app.platform)
  if (!index) throw new Error('no index')
  expect(await bringUpToDate(app.platform, index)).toBe(true)

  await failOver()
  const again = async () => (await connect(app, ana)).ask('send_message', outgoing(ana, ben, 'after'))
  await expect.poll(() => again().catch(() => undefined), patient).toMatchObject({ ok: true })
  // Advances the new server beyond the transaction ids that the old one issued.
  await useNumbers(app)
  await useNumbers(app)
  const { conversations } = await syncConversations(app.platform, ben.id, cursor)
  expect(conversations.map(({ lastMessage }) => lastMessage?.message)).toEqual(['after'])
  expect(await bringUpToDate(app.platform, index)).toBe(false)
  await expect.poll(() => currentIndex(app.platform) ?? index, patient).not.toBe(index)
})
