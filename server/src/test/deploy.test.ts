import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { has, programsPath } from './programs.ts'

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
    /^(MALLOC_\w+|AWS_\w+|POSTGRES_\w+|DATABASE_PASSWORD|DUET_\w+|NODE|CMD|FROM|WORKDIR|VOLUME|ALL|AF_\w+)$/
  const set = [...text.matchAll(/\b([A-Z][A-Z_]{2,})(?==|: )/g)].map(([, name = '']) => name)
  expect(set.length).toBeGreaterThan(20)
  expect(set.filter((name) => !known.has(name) && !others.test(name))).toEqual([])
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

it.skipIf(!has('kubectl'))('Kubernetes gets each part once, with its image, its figures and its secret', () => {
  const { status, stdout, stderr } = run('kubectl', ['kustomize', join(deploy, 'kubernetes')])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const kinds = [...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).sort()
  expect(kinds).toEqual(['ConfigMap', 'Ingress', 'PodDisruptionBudget', 'Service', 'StatefulSet'])
  for (const part of ['image: registry.example.org/duet:', 'path: /healthz', 'path: /readyz', 'secretName: duet-tls'])
    expect(stdout).toContain(part)
})
