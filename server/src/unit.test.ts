import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { parseEnvironmentFile, readUnit } from './unit.ts'

const folder = mkdtempSync(join(tmpdir(), 'duet-unit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads a file of settings as systemd does', () => {
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
})

it('reads the user of a unit, its own settings, and those of its file over them', () => {
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

it('a command runs with the settings of the unit, and not with those of the shell', { tags: 'long' }, () => {
  const [unit, settings] = [join(folder, 'duet.service'), join(folder, 'settings')]
  writeFileSync(unit, `[Service]\nEnvironmentFile=${settings}\n`)
  writeFileSync(settings, `DATA_DIR=${folder}/of-the-unit\n`)
  chmodSync(settings, 0o600)
  const run = (...args: string[]) => {
    const file = fileURLToPath(new URL('cli/as-unit.ts', import.meta.url))
    const env = { PATH: process.env.PATH ?? '', DUET_UNIT: unit, DATA_DIR: `${folder}/of-the-shell` }
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], {
      env,
      encoding: 'utf8',
    })
    return { status, stderr }
  }
  expect(run('audit', 'verify')).toEqual({
    status: 1,
    stderr: `There is no Duet in ${folder}/of-the-unit; is DATABASE_URL missing, or is it another DATA_DIR?\n`,
  })
  expect(run('main')).toEqual({
    status: 2,
    stderr: 'usage: duet admin|audit|backup|doctor|migrate|restore|seed …\n',
  })
})
