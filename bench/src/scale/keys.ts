import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Figure } from '../../../tools/report.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const test = 'server/src/test/shard-keys.test.ts'

/** S1: the test that counts keys says what it counted. It needs Debian's PostgreSQL 15, and writes the figures itself. */
export async function measureKeys(): Promise<Figure[]> {
  const args = ['vitest', 'run', '--project', 'server', '--silent=false', test]
  const env = { ...process.env, TEST_SIZE: 'long', REPORT_KEYS: 'yes' }
  const [code] = await once(spawn('npx', args, { cwd: root, env, stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`${test} failed`)
  return []
}
