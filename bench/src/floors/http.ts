import Fastify from 'fastify'
import pg from 'pg'
import { joinEmbeddedPostgres } from '../../../server/src/platform/database/embedded-postgres.ts'

// The floor of P6: bare Fastify and one prepared primary-key query, on the database that the product uses.
const [dataDir = '', id = ''] = process.argv.slice(2)
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const { connection } = await joinEmbeddedPostgres({ dataDir, log: quiet as never })
const pool = new pg.Pool({ ...connection, max: 10 })
const app = Fastify()

app.get('/profile', async () => {
  const { rows } = await pool.query({
    name: 'profile',
    text: 'select * from profiles where user_id = $1',
    values: [id],
  })
  return rows[0]
})

await app.listen({ port: 0, host: '127.0.0.1' })
console.log((app.server.address() as { port: number }).port)
