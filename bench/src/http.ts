import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { median } from '../../tools/percentiles.ts'
import { report } from '../../tools/report.ts'
import { startDuet } from '../../tools/server.ts'

// P6: an authenticated GET /api/user/myDetails, in turns with bare Fastify and one primary-key query.
const here = dirname(fileURLToPath(import.meta.url))
const rounds = 5
const secondsARound = 4
const connections = 32
/**
 * Reconnect after this many requests, because the server closes a connection after a thousand and autocannon doesn't
 * notice.
 */
const reconnectRate = 900

async function startFloor(dataDir: string, tokens: string): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(here, 'floors/http.ts'), dataDir, tokens], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return { url: `http://127.0.0.1:${line.toString().trim()}/profile`, process: child }
}

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections, reconnectRate, duration: secondsARound })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`)
  return result.requests.average
}

async function post(url: string, body: object): Promise<{ id: string; token: string }> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  return (await response.json()) as { id: string; token: string }
}

const duet = await startDuet({ DEMO: 'off', RATE_LIMIT_SCALE: '1000000' })
const email = 'bench@example.com'
await post(`${duet.baseURL}/api/user/requestOtp`, { email })
const registration = { email, otp: await duet.outbox(email), name: 'Bench', birthDate: '1990-01-01', acceptTerms: true }
const { id, token } = await post(`${duet.baseURL}/api/user/register`, registration)
const tokens = join(duet.dataDir, 'tokens.json')
writeFileSync(tokens, JSON.stringify([[`Bearer ${token}`, id]]))
const floor = await startFloor(duet.dataDir, tokens)
const product = `${duet.baseURL.replace('localhost', '127.0.0.1')}/api/user/myDetails`
const headers = { authorization: `Bearer ${token}` }
try {
  await requestsPerSecond(floor.url, headers)
  await requestsPerSecond(product, headers)
  const floors: number[] = []
  const products: number[] = []
  for (let round = 0; round < rounds; round++) {
    floors.push(await requestsPerSecond(floor.url, headers))
    products.push(await requestsPerSecond(product, headers))
  }
  const ratio = median(products.map((value, round) => value / (floors[round] ?? 1)))
  const note = `median of ${rounds} pairs; product ${Math.round(median(products))}/s, floor ${Math.round(median(floors))}/s`
  report('http', [{ id: 'P6.ratio', value: Math.round(ratio * 1000) / 1000, target: '>= 0.5', note }])
} finally {
  floor.process.kill()
  await duet.stop()
}
