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
import { isSetting } from '../config.ts'
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

it('Every setting in the deploy files is known to Duet or to a program it runs with.', () => {
  const text = [
    ...['duet.service', 'compose.yaml', 'kubernetes/kustomization.yaml', 'kubernetes/duet.yaml', 'Caddyfile'],
    ...['nginx.conf', '../Containerfile'],
  ]
    .map((file) => readFileSync(join(deploy, file), 'utf8'))
    .join('\n')
  const others =
    /^(MALLOC_\w+|AWS_\w+|POSTGRES_\w+|DATABASE_PASSWORD|DUET_\w+|NODE|COMMIT|CMD|FROM|WORKDIR|VOLUME|ALL|AF_\w+)$/
  const set = [...text.matchAll(/\b([A-Z][A-Z_]{2,})(?==|: )/g)].map(([, name = '']) => name)
  expect(set.length).toBeGreaterThan(20)
  expect(set.filter((name) => !isSetting(name) && !others.test(name))).toEqual([])
})

it('The compose container gets every setting of its file and a volume for backups.', () => {
  const compose = readFileSync(join(deploy, 'compose.yaml'), 'utf8')
  const [, duet = ''] = /^ {2}duet:\n((?: {4}.*\n)+)/m.exec(compose) ?? []
  expect(duet).toContain('env_file: [.env]')
  expect(duet).toContain('"backups:/backups"')
  expect(readFileSync(join(root, 'Containerfile'), 'utf8')).toContain('chown 1000:1000 /data /backups')
})

it('Docker ignores the files that must not be in an image.', () => {
  const left = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  expect(left).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'data']))
})

it('Node gets the same flags wherever the server is started.', () => {
  const flags: string[] = JSON.parse(readFileSync(join(root, 'scripts/node-flags.json'), 'utf8'))
  expect(readFileSync(join(deploy, 'duet.service'), 'utf8')).toContain(`node ${flags.join(' ')} server/dist/main.js`)
  const [, command] = /^CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Containerfile'), 'utf8')) ?? []
  expect(JSON.parse(command ?? '')).toEqual(['node', ...flags, 'server/dist/main.js'])
})

it.skipIf(!has('systemd-analyze'))('systemd accepts the unit and sandboxes Duet.', () => {
  // The paths in the unit don't exist here.
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

it.skipIf(!has('caddy'))('Caddy accepts its file and hides the supervisors’ endpoints.', () => {
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

it.skipIf(!has('nginx'))('nginx accepts its file.', () => {
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

it.skipIf(!has('haproxy')).each(['haproxy.cfg', 'ha/haproxy.cfg'])('HAProxy accepts %s.', (file) => {
  expect(run('haproxy', ['-c', '-f', join(deploy, file)])).toMatchObject({ status: 0 })
})

it.skipIf(!has('haproxy'))('HAProxy hides /readyz from outsiders, however it is spelled.', async () => {
  const node = createServer((_, response) => response.end('node')).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const port = await freePort()
  const config = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    // Treat every client as an outsider.
    .replace(' !{ src 127.0.0.0/8 ::1 }', '')
    .replace(/127\.0\.0\.1:300\d\b/g, `127.0.0.1:${(node.address() as AddressInfo).port}`)
  writeFileSync(join(folder, 'outsider.cfg'), config)
  const balancer = spawn('haproxy', ['-db', '-f', 'outsider.cfg'], {
    cwd: folder,
    env: { ...process.env, PATH: programsPath },
  })
  const exited = once(balancer, 'exit')
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  try {
    await vi.waitFor(async () => expect(await (await ask('/')).text()).toBe('node'), standstillMs)
    for (const path of ['/readyz', '/%72eadyz', '/%72%65%61%64%79%7a']) expect((await ask(path)).status).toBe(404)
  } finally {
    balancer.kill()
    await exited
    node.closeAllConnections()
    await promisify(node.close.bind(node))()
  }
})

it.skipIf(!has('kubectl'))('Kubernetes gets each resource once, with its image, metrics and secret.', () => {
  const { status, stdout, stderr } = run('kubectl', ['kustomize', join(deploy, 'kubernetes')])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const kinds = [...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).sort()
  expect(kinds).toEqual(['ConfigMap', 'Ingress', 'PodDisruptionBudget', 'Service', 'StatefulSet'])
  for (const part of ['image: registry.example.org/duet:', 'path: /healthz', 'path: /readyz', 'secretName: duet-tls'])
    expect(stdout).toContain(part)
})
