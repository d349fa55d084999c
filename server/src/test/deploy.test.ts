import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../../tools/ports.ts'
import { has, programsPath } from './programs.ts'
import { standstillMs } from './standstill.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const deploy = join(root, 'deploy')
const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  spawnSync(command, args, { encoding: 'utf8', cwd: folder, env: { ...process.env, ...env, PATH: programsPath } })

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'duet-deploy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('what is set in the files of deploy is known to Duet, or to what runs beside it', () => {
  const text = [
    ...['duet.service', 'compose.yaml', 'kubernetes/kustomization.yaml', 'kubernetes/duet.yaml', 'Caddyfile'],
    ...['nginx.conf', '../Containerfile'],
  ]
    .map((file) => readFileSync(join(deploy, file), 'utf8'))
    .join('\n')
  const config = readFileSync(join(root, 'server/src/config.ts'), 'utf8')
  const known = new Set([...config.matchAll(/^ {2}([A-Z_]+): optional/gm)].map(([, name]) => name))
  const others =
    /^(MALLOC_\w+|AWS_\w+|POSTGRES_\w+|DATABASE_PASSWORD|DUET_\w+|NODE|COMMIT|CMD|FROM|WORKDIR|VOLUME|ALL|AF_\w+)$/
  const set = [...text.matchAll(/\b([A-Z][A-Z_]{2,})(?==|: )/g)].map(([, name = '']) => name)
  expect(set.length).toBeGreaterThan(20)
  expect(set.filter((name) => !known.has(name) && !others.test(name))).toEqual([])
})

it('the container of compose gets every setting of its file, and a volume for backups', () => {
  const compose = readFileSync(join(deploy, 'compose.yaml'), 'utf8')
  const [, duet = ''] = /^ {2}duet:\n((?: {4}.*\n)+)/m.exec(compose) ?? []
  expect(duet).toContain('env_file: [.env]')
  expect(duet).toContain('"backups:/backups"')
  expect(readFileSync(join(root, 'Containerfile'), 'utf8')).toContain('chown 1000:1000 /data /backups')
})

it('what is left out of an image is left out by Docker, too', () => {
  const left = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  expect(left).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'data']))
})

it('Node is told the same wherever the server is started', () => {
  const flags: string[] = JSON.parse(readFileSync(join(root, 'scripts/node-flags.json'), 'utf8'))
  expect(readFileSync(join(deploy, 'duet.service'), 'utf8')).toContain(`node ${flags.join(' ')} server/dist/main.js`)
  const [, command] = /^CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Containerfile'), 'utf8')) ?? []
  expect(JSON.parse(command ?? '')).toEqual(['node', ...flags, 'server/dist/main.js'])
})

it.skipIf(!has('systemd-analyze'))('the unit is one that systemd takes, and lets Duet do little else', () => {
  // What it names is not here.
  const unit = readFileSync(join(deploy, 'duet.service'), 'utf8')
    .replace('/usr/bin/node', process.execPath)
    .replace('WorkingDirectory=/opt/duet', `WorkingDirectory=${folder}`)
  writeFileSync(join(folder, 'duet.service'), unit)
  const { status, stderr } = run('systemd-analyze', ['verify', './duet.service'])
  expect({ status, told: stderr.split('\n').filter((line) => line.includes('duet.service')) }).toEqual({
    status: 0,
    told: [],
  })
  const args = ['security', '--offline=true', '--threshold=20', './duet.service']
  expect(run('systemd-analyze', args)).toMatchObject({ status: 0 })
})

it.skipIf(!has('caddy'))('Caddy takes its file, and hides what is for supervisors', () => {
  cpSync(join(deploy, 'Caddyfile'), join(folder, 'Caddyfile'))
  const { status, stdout, stderr } = run(
    'caddy',
    ['adapt', '--adapter', 'caddyfile', '--config', 'Caddyfile', '--validate'],
    {
      HOME: folder,
    },
  )
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('"/readyz"')
})

it.skipIf(!has('nginx'))('nginx takes its file', () => {
  const key = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=duet',
    '-keyout',
    'key.pem',
    '-out',
    'cert.pem',
  ]
  execFileSync('openssl', key, { cwd: folder, stdio: 'pipe' })
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8').replace(
    /\/etc\/letsencrypt\/\S+?(fullchain|privkey)\.pem/g,
    (_, what) => join(folder, what === 'privkey' ? 'key.pem' : 'cert.pem'),
  )
  mkdirSync(join(folder, 'logs'), { recursive: true })
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${site}\n}\n`,
  )
  const { status, stderr } = run('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'])
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
})

it.skipIf(!has('haproxy')).each(['haproxy.cfg', 'ha/haproxy.cfg'])('HAProxy takes %s', (file) => {
  expect(run('haproxy', ['-c', '-f', join(deploy, file)])).toMatchObject({ status: 0 })
})

/** A server that says its name and is ready, as HAProxy sees a node. */
async function startNamed(name: string): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    await promisify(server.close.bind(server))()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

it.skipIf(!has('haproxy'))(
  'HAProxy sends decks to the node with their part of all people in memory, and answers no outsider at /readyz',
  async () => {
    const nodes = [await startNamed('node1'), await startNamed('node2'), await startNamed('node3')]
    const port = await freePort()
    const config = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8')
      .replace('bind :3000', `bind 127.0.0.1:${port}`)
      // Here everyone is an outsider.
      .replace(' !{ src 127.0.0.0/8 ::1 }', '')
      .replace(/127\.0\.0\.1:300(\d)\b/g, (_, n) => `127.0.0.1:${nodes[n - 1]?.port}`)
    writeFileSync(join(folder, 'decks.cfg'), config)
    const balancer = spawn('haproxy', ['-db', '-f', 'decks.cfg'], {
      cwd: folder,
      env: { ...process.env, PATH: programsPath },
    })
    const exited = once(balancer, 'exit')
    const askedOf = async (part: number, path = '/api/deck') => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie: `a=1; duet_part=${part}` } })
      return answer.text()
    }
    const named = async (parts: readonly number[]) => Promise.all(parts.map((part) => askedOf(part)))
    try {
      await vi.waitFor(async () => expect(await askedOf(0)).toBe('node1'), standstillMs)
      const parts = [0, 333, 334, 500, 667, 999]
      await vi.waitFor(
        async () => expect(await named(parts)).toEqual(['node1', 'node1', 'node2', 'node2', 'node3', 'node3']),
        standstillMs,
      )
      for (const path of ['/readyz', '/%72eadyz', '/%72%65%61%64%79%7a'])
        expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404)
      await nodes[1]?.close()
      await vi.waitFor(async () => expect(await named([500, 500])).not.toContain('node2'), standstillMs)
      expect(await named([500, 0, 999])).toEqual([expect.stringMatching(/^node[13]$/), 'node1', 'node3'])
    } finally {
      balancer.kill()
      await exited
      await Promise.all([nodes[0]?.close(), nodes[2]?.close()])
    }
  },
)

it.skipIf(!has('kubectl'))('Kubernetes gets each part once, with its image, its figures and its secret', () => {
  const { status, stdout, stderr } = run('kubectl', ['kustomize', join(deploy, 'kubernetes')])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const kinds = [...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).sort()
  expect(kinds).toEqual(['ConfigMap', 'Ingress', 'PodDisruptionBudget', 'Service', 'StatefulSet'])
  for (const part of ['image: registry.example.org/duet:', 'path: /healthz', 'path: /readyz', 'secretName: duet-tls'])
    expect(stdout).toContain(part)
})
