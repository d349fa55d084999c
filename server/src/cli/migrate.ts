import pg from 'pg'
import { readConfig } from '../config.ts'
import { joinExisting } from '../database-source.ts'
import { migrate } from '../platform/database/database.ts'
import { compareSchema } from '../platform/database/schema-version.ts'
import { untilAnswers } from '../platform/database/until-answers.ts'
import { createLogger } from '../platform/logger.ts'
import { reasonsOfCommand } from '../start-faults.ts'

const usage = 'usage: npm run migrate [-- --plan]'

async function planOf(owner: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(owner)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { newer, lacks } = await compareSchema(client)
    if (newer) return [`The database is from a newer Duet (it has ${newer}) that this version works with.`]
    if (lacks.length === 0) return ['The schema is up to date.']
    return lacks.map((one) => (one.startsWith('the functions') ? `replace ${one}` : `run ${one}`))
  } finally {
    await client.end()
  }
}

/** `migrate --plan` prints what a start would change in the schema; `migrate` applies it. */
async function act(planOnly: boolean): Promise<void> {
  const log = createLogger('warn')
  const database = await joinExisting(readConfig(process.env), log)
  try {
    for (const line of await untilAnswers(log, () => planOf(database.owner))) console.log(line)
    if (planOnly) return
    await untilAnswers(log, () => migrate(database.owner))
    console.log('Done.')
  } finally {
    await database.stop()
  }
}

const args = process.argv.slice(2)
if (args.some((arg) => arg !== '--plan') || args.length > 1) {
  console.error(usage)
  process.exit(2)
}
try {
  await act(args.length === 1)
  process.exit(0)
} catch (error) {
  for (const line of reasonsOfCommand(error)) console.error(line)
  process.exit(1)
}
