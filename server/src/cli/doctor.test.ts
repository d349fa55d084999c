import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../tools/ports.ts'

/** What the doctor says where `answers` has the port and no database is there. */
async function findings(answers: RequestListener): Promise<string> {
  const server = createServer(answers).listen(0, '127.0.0.1')
  const dataDir = mkdtempSync(join(tmpdir(), 'duet-doctor-'))
  onTestFinished(() => {
    server.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = {
    ...{ PATH: process.env.PATH ?? '', DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port) },
    DATABASE_URL: `postgres://duet@127.0.0.1:${await freePort()}/duet`,
  }
  const file = fileURLToPath(new URL('doctor.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  return text(child.stdout)
}

it('finds a Duet that runs and has lost its database, and takes nothing else for one', async () => {
  const duet = await findings(({ url }, response) => {
    response.writeHead(url === '/healthz' ? 200 : 503).end(JSON.stringify({ ok: true, version: '1.2.3' }))
  })
  expect(duet).toMatch(/^ok {6}port: \d+: Duet 1\.2\.3 runs there$/m)
  expect(duet).toMatch(/^failed {2}database: connect ECONNREFUSED/m)
  const other = await findings((_request, response) => void response.end('Welcome'))
  expect(other).toMatch(/^failed {2}port: listen EADDRINUSE/m)
})
