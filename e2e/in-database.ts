import pg from 'pg'
import { joinEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres.ts'
import type { Duet } from '../tools/server.ts'

const nothing = () => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** Runs a statement on a running server's database, for changes that would otherwise take minutes or years. */
export async function inDatabase({ dataDir }: Duet, statement: string, values: unknown[]): Promise<void> {
  const { connection, stop } = await joinEmbeddedPostgres({ dataDir, log: silent })
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statement, values)
  await client.end()
  await stop()
}
