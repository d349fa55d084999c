import { readConfig } from '../config.ts'
import { joinDatabase } from '../database-source.ts'
import { verifyChain } from '../features/audit/audit.ts'
import { connectOwner } from '../platform/database/database.ts'
import { createLogger } from '../platform/logger.ts'
import { reasonsOfCommand } from '../start-faults.ts'

const usage = 'usage: npm run audit -- verify [SEQ:HASH]'

function readAnchor(text: string | undefined) {
  if (text === undefined) return undefined
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (!seq || !hash) {
    console.error(usage)
    process.exit(2)
  }
  return { seq: Number(seq), hash }
}

async function verify(anchor: ReturnType<typeof readAnchor>): Promise<boolean> {
  const database = await joinDatabase(readConfig(process.env), createLogger('warn'))
  const { db, pool } = connectOwner(database.owner, () => undefined)
  try {
    const { entries, firstBroken, head } = await verifyChain({ db }, anchor)
    if (firstBroken !== null) {
      console.error(`The audit log has been changed: entry ${firstBroken} is not what was written.`)
      return false
    }
    console.log(`The audit log is whole: ${entries} entries.`)
    if (entries > 0) console.log(`Keep its head elsewhere and pass it to the next verify: ${head.seq}:${head.hash}`)
    return true
  } finally {
    await pool.end()
    await database.stop()
  }
}

const [command, noted] = process.argv.slice(2)
if (command !== 'verify') {
  console.error(usage)
  process.exit(2)
}
const anchor = readAnchor(noted)
try {
  process.exit((await verify(anchor)) ? 0 : 1)
} catch (error) {
  for (const line of reasonsOfCommand(error)) console.error(line)
  process.exit(1)
}
