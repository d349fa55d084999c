import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'
import { joinEmbeddedPostgres } from '../../../server/src/platform/database/embedded-postgres.ts'

// The floor of P6 and P10: bare Fastify that looks the token up in a map and runs one prepared primary-key query on the
// product's database. The second argument is a file with each person's authorization header and id.
const [dataDir = '', tokens = ''] = process.argv.slice(2)
const ids = new Map<string, string>(JSON.parse(readFileSync(tokens, 'utf8')))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const { connection } = await joinEmbeddedPostgres({ dataDir, log: quiet as never })
const pool = new pg.Pool({ ...connection, max: 10 })
const app = Fastify()

app.get('/profile', async ({ headers }) => {
  const { rows } = await pool.query({
    name: 'profile',
    text: 'select * from profiles where user_id = $1',
    values: [ids.get(headers.authorization ?? '')],
  })
  return rows[0]
})

await app.listen({ port: 0, host: '127.0.0.1' })
console.log((app.server.address() as { port: number }).port)
