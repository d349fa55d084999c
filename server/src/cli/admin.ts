import { asEmail } from '@duet/contract/email-address.ts'
import { readConfig } from '../config.ts'
import { joinDatabase } from '../database-source.ts'
import { grantRights, revokeRights } from '../features/moderation/rights.ts'
import { resetSecondFactor } from '../features/second-factor/second-factor.ts'
import { systemClock } from '../platform/clock.ts'
import { connectOwner } from '../platform/database/database.ts'
import { createLogger } from '../platform/logger.ts'
import { reasonsOfCommand } from '../start-faults.ts'

const commands = {
  grant: {
    run: grantRights,
    done: (email: string) => `${email} is a super administrator now.`,
    failed: (email: string) => `No account has the address ${email}.`,
  },
  revoke: {
    run: revokeRights,
    done: (email: string, named?: string) =>
      `${email} is no longer a super administrator, and is signed out.${
        named === email ? ' SUPER_ADMIN_EMAIL still names them: a restart does not give the rights back.' : ''
      }`,
    failed: (email: string) => `No super administrator has the address ${email}.`,
  },
  'reset-second-factor': {
    run: resetSecondFactor,
    done: (email: string) => `${email} can set up a new second factor, and is signed out.`,
    failed: (email: string) => `No second factor is set up for ${email}.`,
  },
} as const

async function change(run: (typeof commands)[keyof typeof commands]['run'], email: string): Promise<boolean> {
  const config = readConfig(process.env)
  const database = await joinDatabase(config, createLogger('warn'))
  const { db, pool } = connectOwner(database.owner, () => undefined)
  try {
    return await db.transaction().execute((tx) => run({ db: tx, clock: systemClock }, email))
  } finally {
    await pool.end()
    await database.stop()
  }
}

const [name = '', address = ''] = process.argv.slice(2)
const email = asEmail(address)
const command = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined
if (!command || !email) {
  console.error('usage: npm run admin -- grant|revoke|reset-second-factor EMAIL')
  process.exit(2)
}
try {
  const isDone = await change(command.run, email)
  console.log(isDone ? command.done(email, readConfig(process.env).superAdminEmail) : command.failed(email))
  process.exit(isDone ? 0 : 1)
} catch (error) {
  for (const line of reasonsOfCommand(error)) console.error(line)
  process.exit(1)
}
