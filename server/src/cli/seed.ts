import { appendFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { joinOrMakeDatabase } from '../database-source.ts'
import { seedPeople, seedSessions } from '../demo/population.ts'
import { seedDecisions } from '../demo/population-decisions.ts'
import { connectOwner } from '../platform/database/database.ts'
import { createLogger } from '../platform/logger.ts'
import { reasonsOfCommand } from '../start-faults.ts'

const usage = 'usage: npm run seed -- --people N [--swipes M] [--seed S] [--tokens K --out FILE]'

function fail(line: string): never {
  console.error(line)
  process.exit(1)
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        people: { type: 'string' },
        seed: { type: 'string', default: '1' },
        tokens: { type: 'string', default: '0' },
        out: { type: 'string' },
        swipes: { type: 'string', default: '0' },
      },
    })
    const numbers = [values.people, values.tokens, values.seed, values.swipes]
    if (!numbers.every((value) => /^\d{1,8}$/.test(value ?? ''))) fail(usage)
    return {
      people: Number(values.people),
      tokens: Number(values.tokens),
      seed: Number(values.seed),
      ...(values.out && { out: values.out }),
      swipes: Number(values.swipes),
    }
  } catch {
    return fail(usage)
  }
}

const options = readOptions()
if (options.tokens > 0 && !options.out) fail('--tokens: name a file for them with --out')
if (options.tokens > options.people) fail('--tokens: there are not that many people')

async function seed(): Promise<void> {
  const config = readConfig(process.env)
  const database = await joinOrMakeDatabase(config, createLogger('warn'))
  const { db, pool } = connectOwner(database.owner, () => undefined)
  try {
    await seedPeople(db, options.people, options.seed, (done) => console.log(`${done} people`))
    if (options.swipes > 0) {
      const onPart = (done: number) => console.log(`${done} decisions`)
      const made = await seedDecisions(db, options.swipes, options.seed, { onPart })
      console.log(`${made} decisions`)
    }
    if (!options.out) return
    await writeFile(options.out, '', { mode: 0o600 })
    const lines = await seedSessions(db, options.tokens, options.seed)
    await appendFile(options.out, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    console.log(`${lines.length} tokens in ${options.out}`)
  } finally {
    await pool.end()
    await database.stop()
  }
}

try {
  await seed()
} catch (error) {
  fail(reasonsOfCommand(error).join('\n'))
}
