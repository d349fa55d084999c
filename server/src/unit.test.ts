import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { becomeUnit, findUnit, parseEnvironmentFile, readUnit } from './unit.ts'

const folder = mkdtempSync(join(tmpdir(), 'duet-unit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => void vi.unstubAllEnvs())

it('A settings file is parsed the way systemd parses it', () => {
  const text = [
    '# MAIL_URL=smtp://commented.out',
    '; PORT=1',
    'MAIL_FROM=Duet <duet@example.org> ',
    'OIDC_NAME=\'The #1 "club"\'',
    'BACKUP_PASSPHRASE="it\'s \\"secret\\" $here"',
    "SUPER_ADMIN_EMAIL=o'neil@example.org",
    'SECRET_KEY=a+b/c#d==',
    'PUSH_HOSTS=one.example,\\',
    'two.example',
    'EMPTY=',
    'no assignment',
  ].join('\n')
  expect(parseEnvironmentFile(text)).toEqual({
    MAIL_FROM: 'Duet <duet@example.org>',
    OIDC_NAME: 'The #1 "club"',
    BACKUP_PASSPHRASE: 'it\'s "secret" $here',
    SUPER_ADMIN_EMAIL: "o'neil@example.org",
    SECRET_KEY: 'a+b/c#d==',
    PUSH_HOSTS: 'one.example,two.example',
    EMPTY: '',
  })
  expect(() => parseEnvironmentFile(`BACKUP_PASSPHRASE="two\nlines"`)).toThrow(
    'BACKUP_PASSPHRASE: the value begins with',
  )
})

it('A unit’s user and settings are read, and its settings file overrides them', () => {
  const file = join(folder, 'duet.env')
  writeFileSync(file, 'NODE_ENV=test\nPORT=4000\n')
  const unit = `[Service]\nUser=duet\nEnvironment=NODE_ENV=production "MAIL_FROM=Duet <a@b.org>"\nEnvironmentFile=-${file}\nEnvironmentFile=-${file}.missing\n`
  expect(readUnit(unit)).toEqual({
    user: 'duet',
    environment: { NODE_ENV: 'test', MAIL_FROM: 'Duet <a@b.org>', PORT: '4000' },
  })
  expect(() => readUnit(`EnvironmentFile=${file}.missing`)).toThrow(
    `There is no file ${file}.missing, which the unit names.`,
  )
})

function unitWith(name: string, unit: string, dropIn: string): void {
  const path = join(folder, `${name}.service`)
  mkdirSync(`${path}.d`, { recursive: true })
  writeFileSync(path, unit)
  writeFileSync(join(`${path}.d`, 'override.conf'), dropIn)
  vi.stubEnv('DUET_UNIT', path)
}

it('Drop-ins, continued lines and cleared settings of a unit are understood', () => {
  unitWith(
    'dropped',
    '[Service]\nUser=duet\nEnvironment=PORT=4000 \\\n  HOST=::1\nEnvironmentFile=/etc/none.env\n',
    '[Service]\nEnvironment=PORT=5000\nEnvironmentFile=\n',
  )
  expect(findUnit()).toEqual({ user: 'duet', environment: { PORT: '5000', HOST: '::1' } })
  unitWith('emptied', 'Environment=PORT=4000 HOST=::1', '[Service]\nEnvironment=\nEnvironment=DEMO=off')
  expect(findUnit()).toEqual({ user: undefined, environment: { DEMO: 'off' } })
})

it.each([
  ['Environment=DATA_DIR=%S/duet', /^Environment= in the unit has a %/],
  ['Environment=MAIL_FROM="Duet <a@b.org>"', /^Environment= in the unit is not understood/],
  ['Environment=DATA_DIR', /^Environment= in the unit is not understood/],
  ['EnvironmentFile=-/etc/duet.d/*.env', /a pattern is not understood/],
  ['PassEnvironment=DATABASE_URL', /^PassEnvironment= in the unit is not understood/],
])('A unit with %s is refused in one line', (line, refusal) => {
  unitWith('refused', '[Service]', `[Service]\n${line}\n`)
  expect(findUnit).toThrow(refusal)
})

it('Where systemd runs, its view of the unit is used', () => {
  const [bin, settings] = [join(folder, 'bin'), join(folder, 'of-systemd.env')]
  mkdirSync(bin)
  writeFileSync(settings, 'PORT=4000\n')
  const told = [
    'User=duet',
    'Environment=DATA_DIR=/var/lib/duet "MAIL_FROM=The \\"Duet\\" <a@b.org>" MAIL_URL=smtp://a%40b@c',
    `EnvironmentFiles=${settings} (ignore_errors=no)`,
    'EnvironmentFiles=/etc/none.env (ignore_errors=yes)',
    'PassEnvironment=',
    'UnsetEnvironment=',
  ]
  const script = `#!/bin/sh\n[ "$2" = there ] && cat <<'END' || echo LoadState=not-found\nLoadState=loaded\n${told.join('\n')}\nEND\n`
  writeFileSync(join(bin, 'systemctl'), script, { mode: 0o755 })
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
  vi.stubEnv('DUET_UNIT', 'there')
  const environment = {
    DATA_DIR: '/var/lib/duet',
    MAIL_FROM: 'The "Duet" <a@b.org>',
    MAIL_URL: 'smtp://a%40b@c',
    PORT: '4000',
  }
  expect(findUnit()).toEqual({ user: 'duet', environment })
  vi.stubEnv('DUET_UNIT', 'elsewhere')
  expect(findUnit).toThrow('There is no unit elsewhere.')
})

it('A unit’s settings replace the shell’s, and a conflicting one is reported', () => {
  const shell = {
    DATABASE_URL: 'postgres://shell',
    AWS_PROFILE: 'shell',
    DATA_DIR: '/data',
    LANG: 'C',
    BACKUP_PASSPHRASE: '',
  }
  const become = (environment: Record<string, string>, command: string, more: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries({ ...shell, ...more })) vi.stubEnv(name, value)
    becomeUnit({ user: undefined, environment }, command)
    const { DATABASE_URL, AWS_PROFILE, DATA_DIR, LANG, BACKUP_PASSPHRASE } = process.env
    return { DATABASE_URL, AWS_PROFILE, DATA_DIR, LANG, BACKUP_PASSPHRASE }
  }
  const unit = { DATA_DIR: '/data', BACKUP_PASSPHRASE: 'of the unit' }
  expect(become(unit, 'doctor')).toEqual({ ...unit, LANG: 'C' })
  expect(() => become(unit, 'doctor', { DATA_DIR: '/other' })).toThrow(/^DATA_DIR: set here to another value/)
  const paper = { BACKUP_PASSPHRASE: 'on paper' }
  expect(become(unit, 'restore', paper)).toEqual({ ...unit, ...paper, LANG: 'C' })
  expect(() => become(unit, 'backup', paper)).toThrow(/^BACKUP_PASSPHRASE: set here to another value/)
  expect(become({ DATA_DIR: '/data' }, 'backup', paper)).toMatchObject(paper)
})

it('A command runs with only the unit’s settings', { tags: 'long' }, () => {
  const [unit, settings] = [join(folder, 'duet.service'), join(folder, 'settings')]
  writeFileSync(unit, `[Service]\nEnvironmentFile=${settings}\n`)
  writeFileSync(settings, `DATA_DIR=${folder}/of-the-unit\n`)
  chmodSync(settings, 0o600)
  const run = (...args: string[]) => {
    const file = fileURLToPath(new URL('cli/as-unit.ts', import.meta.url))
    const env = { PATH: process.env.PATH ?? '', DUET_UNIT: unit, DATABASE_URL: 'postgres://of-the-shell' }
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], {
      env,
      encoding: 'utf8',
    })
    return { status, stderr }
  }
  expect(run('audit', 'verify')).toEqual({
    status: 1,
    stderr: `There is no Duet in ${folder}/of-the-unit. Is DATABASE_URL missing, or is DATA_DIR wrong?\n`,
  })
  expect(run('main')).toEqual({
    status: 2,
    stderr: 'usage: duet admin|audit|backup|doctor|migrate|restore|seed …\n',
  })
})
