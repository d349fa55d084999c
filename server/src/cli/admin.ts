import { ConfigError, readConfig } from '../config.ts'
import { joinDatabase } from '../database-source.ts'
import { grantSuperAdmin } from '../features/accounts/accounts.ts'
import { CannotStart } from '../platform/data-dir.ts'
import { connectOwner } from '../platform/database.ts'
import { createLogger } from '../platform/logger.ts'

/** `admin grant EMAIL`: makes the account of an address a super administrator. */
async function grant(email: string): Promise<boolean> {
  const config = readConfig(process.env)
  const database = await joinDatabase(config, createLogger('warn'))
  const { db, pool } = connectOwner(database.owner, () => undefined)
  try {
    return await grantSuperAdmin(db, email)
  } finally {
    await pool.end()
    await database.stop()
  }
}

const [command, email] = process.argv.slice(2)
if (command !== 'grant' || !email) {
  console.error('usage: npm run admin -- grant EMAIL')
  process.exit(2)
}
try {
  const granted = await grant(email)
  console.log(granted ? `${email} is a super administrator now.` : `No account has the address ${email}.`)
  process.exit(granted ? 0 : 1)
} catch (error) {
  const lines =
    error instanceof ConfigError ? error.lines : [error instanceof CannotStart ? error.message : String(error)]
  for (const line of lines) console.error(line)
  process.exit(1)
}
