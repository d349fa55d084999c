import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { has } from '../../../server/src/test/programs.ts'
import type { Figure } from '../../../tools/report.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const test = 'server/src/test/shard-keys.test.ts'

/** S1: the test that counts keys says what it counted, and writes the figures itself. Throws without Debian's PostgreSQL. */
export async function measureKeys(): Promise<Figure[]> {
  // Without it the test is left out, and nothing is counted.
  if (!has('pg_ctlcluster')) throw new Error('apt-get install postgresql: keys are counted in plans that it tells')
  const args = ['vitest', 'run', '--project', 'server', '--silent=false', test]
  const env = { ...process.env, TEST_TIER: 'long', REPORT_KEYS: 'yes' }
  const [code] = await once(spawn('npx', args, { cwd: root, env, stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`${test} failed`)
  return []
}
