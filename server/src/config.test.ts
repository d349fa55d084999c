import { describe, expect, it } from 'vitest'
import { type ConfigError, readConfig } from './config.ts'

const linesOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as ConfigError).lines
  }
}

const inProduction = {
  SECRET_KEY: 'pT6Dq0sXw3bJ5vNf8yRk2mZc7hLg4aUe9oQi1tSx',
  PUBLIC_URL: 'https://duet.example',
  TRUST_PROXY: '1',
}

const provider = {
  OIDC_ISSUER: 'https://accounts.example/realms/chess',
  OIDC_CLIENT_ID: 'duet',
  OIDC_CLIENT_SECRET: 'of the provider',
  OIDC_NAME: 'Chess Club',
  PUBLIC_URL: 'https://duet.example',
}

describe('The environment', () => {
  it('An empty environment gives the documented defaults', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: undefined,
      databaseUrl: undefined,
      redisUrl: undefined,
      storageUrl: undefined,
      mailUrl: undefined,
      demo: true,
      chatPolicy: 'open',
      photoReview: 'after',
      rateLimitScale: 1,
      logLevel: 'info',
      metricsPort: undefined,
    })
    expect(readConfig({}).dataDir).toMatch(/\/data$/)
  })

  it.each([
    ['s3://duet', 's3://duet?region=eu-1'],
    ['s3://duet?endpoint=https://s3.eu-1.amazonaws.com', 's3://duet'],
    ['s3://duet?endpoint=https://STORE.example', 's3://duet?endpoint=https://store.example:443/&region=eu-1'],
  ])('The same bucket as BACKUP_TO (%s) and STORAGE_URL (%s) is refused', (BACKUP_TO, STORAGE_URL) => {
    expect(linesOf({ BACKUP_TO, STORAGE_URL, BACKUP_PASSPHRASE: 'longer than twelve' })).toEqual([
      'BACKUP_TO: is the bucket of STORAGE_URL; name another one, so that backups are not lost with the files',
    ])
  })

  it.each(['media', 'media/photos/', 'work', 'postgres', 'outbox', 'ledger'])(
    'Backups may not go to DATA_DIR/%s, which Duet clears',
    (folder) => {
      const environment = { DATA_DIR: '/srv/duet/', BACKUP_PASSPHRASE: 'longer than twelve' }
      expect(linesOf({ ...environment, BACKUP_TO: `/srv/duet/${folder}` })).toEqual([
        `BACKUP_TO: is in DATA_DIR/${folder.split('/')[0]}, which Duet clears; name another folder, ideally on another disk`,
      ])
      expect(linesOf({ ...environment, BACKUP_TO: `/srv/${folder}` })).toEqual([])
      expect(linesOf({ ...environment, BACKUP_TO: `/srv/duet/backups/${folder}` })).toEqual([])
    },
  )

  it('By default the demo is on only with the embedded database and outside production', () => {
    const production = { NODE_ENV: 'production', ...inProduction }
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/duet' }).demo).toBe(false)
    expect(readConfig(production).demo).toBe(false)
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/duet', DEMO: 'on' }).demo).toBe(true)
    expect(readConfig({ DEMO: 'off' }).demo).toBe(false)
  })

  it('Production needs a secret key of at least 32 bytes', () => {
    expect(linesOf({ NODE_ENV: 'production', ...inProduction, SECRET_KEY: '' })).toEqual([
      'SECRET_KEY: is required with NODE_ENV=production (at least 32 bytes)',
    ])
    expect(linesOf({ SECRET_KEY: 'short' })).toEqual(['SECRET_KEY: must have at least 32 bytes'])
  })

  it('An invalid environment gives one line per variable', () => {
    const wrong = {
      PORT: 'http',
      PUBLIC_URL: 'duet.example',
      DATABASE_URL: 'mysql://localhost',
      REDIS_URL: 'localhost:6379',
      STORAGE_URL: 'file:///x',
      MAIL_URL: 'http://mail',
      DEMO: 'yes',
      CHAT_POLICY: 'closed',
      ADMIN_SECOND_FACTOR: 'sometimes',
      PHOTO_REVIEW: 'never',
      RATE_LIMIT_SCALE: '0',
      SUPER_ADMIN_EMAIL: 'no-one',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'everybody',
      METRICS_PORT: '99999',
    }
    const named = linesOf(wrong).map((line) => line.split(':')[0])
    expect(named.sort()).toEqual(Object.keys(wrong).sort())
  })

  it.each([
    ['PORT', '65536', 'must be a number from 0 to 65535'],
    ['PUBLIC_URL', 'https://duet.example/app', 'must have no path, query or credentials'],
    ['PUBLIC_URL', 'https://duet.example/?a=1', 'must have no path, query or credentials'],
    ['PUBLIC_URL', 'https://ana:secret@duet.example', 'must have no path, query or credentials'],
    ['STORAGE_URL', 's3://', 'must name a bucket: s3://bucket'],
    ['STORAGE_URL', 's3://photos?endpoint=minio:9000', 'must have an endpoint that begins with http:// or https://'],
    ['STORAGE_URL', 's3://photos?accessKeyId=a', 'must have both accessKeyId and secretAccessKey, or neither'],
    ['MAIL_URL', 'smtp://', 'must name a mail server: smtp://host'],
    [
      'REDIS_URL',
      'redis://duet/chat?sentinels=a:1',
      'must name a Redis database by its number: redis://NAME/1?sentinels=…',
    ],
    ['REDIS_URL', 'redis://duet?sentinels=one,two', 'must list its sentinels as host:port, separated by commas'],
    [
      'REDIS_URL',
      'redis://one:6379?cluster=two:6379',
      'names a Redis Cluster, which Duet does not support: use a single Redis, or redis://NAME?sentinels=host:port,host:port',
    ],
    ['MAIL_DKIM_DOMAIN', 'example.org; t=y', 'must be a DNS name'],
    [
      'MAIL_DKIM_DOMAIN',
      'example.org',
      'needs MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY_FILE and MAIL_URL, without which no email is sent',
    ],
    ['MAIL_FROM', 'no-one', 'must be an address, or a name and <address>'],
    ['MAIL_FROM', 'Duet <a@b.example>\nBcc: c@d.example', 'must be an address, or a name and <address>'],
    ['TRUST_PROXY', '10.0.0.0/33', 'must be a number of hops, or addresses and networks with commas'],
    ['TRUST_PROXY', '10.0.0.0/0', 'must be a number of hops, or addresses and networks with commas'],
    ['TRUST_PROXY', '::1/129', 'must be a number of hops, or addresses and networks with commas'],
    ['METRICS_PORT', '3000', 'must be another port than PORT'],
    ['FILES_BY_PROXY', 'on', 'needs TRUST_PROXY, because nginx in front sends the files'],
    ['OIDC_ISSUER', 'accounts.example', 'must be a URL that begins with http:// or https://'],
    ['OIDC_ISSUER', 'http://accounts.example', 'must begin with https://; http:// is only allowed on this machine'],
    ['OIDC_ISSUER', 'http://127.0.0.1.example', 'must begin with https://; http:// is only allowed on this machine'],
    [
      'OIDC_ISSUER',
      'https://accounts.example/?realm=a',
      'must be the address of a provider, without a name, a query or a #',
    ],
    ['ROLE', 'both', 'must be one of all, web, worker'],
    ['ROLE', 'worker', 'needs DATABASE_URL and REDIS_URL, which web and worker share'],
  ])('The error for %s=%s says what is wrong', (name, value, reason) => {
    expect(linesOf({ [name]: value })).toEqual([`${name}: ${reason}`])
  })

  it.each([
    { PUBLIC_URL: 'https://duet.example:8443/' },
    { STORAGE_URL: 's3://photos?endpoint=http://127.0.0.1:9000&region=eu-1&accessKeyId=a&secretAccessKey=b' },
    { MAIL_URL: 'smtp://ana:secret@mail.example:587', MAIL_FROM: 'Duet of Town <duet@localhost>' },
    {
      MAIL_URL: 'smtp://mail.example',
      ...{ MAIL_DKIM_DOMAIN: 'example.org', MAIL_DKIM_SELECTOR: 'duet', MAIL_DKIM_KEY_FILE: '/etc/duet/dkim.pem' },
    },
    { MAIL_FROM: 'duet@example.com', TRUST_PROXY: 'loopback, 10.0.0.0/8, fd00::/8', METRICS_PORT: '3001' },
    { DATABASE_URL: 'postgres:///duet?host=/run/postgresql', PORT: '0', METRICS_PORT: '0' },
    { FILES_BY_PROXY: 'on', TRUST_PROXY: '127.0.0.1' },
    { BACKUP_PASSPHRASE: 'short' },
    {
      ...{ BACKUP_TO: 's3://duet-backups', BACKUP_PASSPHRASE: 'longer than twelve' },
      STORAGE_URL: 's3://duet?endpoint=https://store.example',
    },
    { BACKUP_TO: '/var/backups/duet', BACKUP_PASSPHRASE: 'longer than twelve' },
    { DATABASE_URL: 'postgres:///duet', REDIS_URL: 'redis://localhost', ROLE: 'web' },
    provider,
    { ...provider, OIDC_ISSUER: 'http://127.0.0.1:4000' },
    { REDIS_URL: 'rediss://:secret@duet?sentinels=one.example:26379,10.0.0.2:26379&sentinelPassword=other' },
  ])('The environment %j is valid', (environment) => {
    expect(linesOf(environment)).toEqual([])
  })

  it.each(Object.keys(provider))('A sign-in provider without %s is refused', (name) => {
    expect(linesOf({ ...provider, [name]: '' })).toEqual([
      'OIDC_ISSUER: needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME and PUBLIC_URL, where the provider sends people back',
    ])
  })

  it('Two faults in production are both reported', () => {
    expect(linesOf({ NODE_ENV: 'production', PORT: 'http', SECRET_KEY: '' })).toEqual([
      'PORT: must be a whole number',
      'SECRET_KEY: is required with NODE_ENV=production (at least 32 bytes)',
    ])
    expect(linesOf({ NODE_ENV: 'production', SECRET_KEY: 'short' })).toEqual([
      'SECRET_KEY: must have at least 32 bytes',
    ])
  })

  it('By default the demo is on only if Duet is reachable from this machine alone', () => {
    const here = ['127.0.0.1', '127.0.0.2', 'localhost', '::1']
    for (const host of here) expect(readConfig({ HOST: host })).toMatchObject({ demo: true, warnings: [] })
    for (const address of [
      'http://localhost:3000',
      'http://duet.localhost',
      'http://127.0.0.1:8080',
      'http://[::1]:3000',
    ])
      expect(readConfig({ PUBLIC_URL: address })).toMatchObject({ demo: true, warnings: [] })
    const elsewhere = [
      'https://duet.example',
      'http://192.168.1.7:3000',
      'http://localhost.example',
      'http://127.0.0.1.example',
    ]
    for (const address of elsewhere) {
      expect(readConfig({ PUBLIC_URL: address }).demo).toBe(false)
      expect(readConfig({ PUBLIC_URL: address, DEMO: 'on' }).demo).toBe(true)
    }
    for (const host of ['0.0.0.0', '::', '192.168.1.7', 'duet.example'])
      expect(readConfig({ HOST: host }).demo).toBe(false)
  })

  it('An operator is warned about risky settings if others can reach Duet', () => {
    const names = (environment: Record<string, string>) =>
      readConfig(environment).warnings.map((line) => line.split(':')[0])
    const open = { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.168.1.7:3000' }
    expect(names({ HOST: '0.0.0.0' })).toEqual(['PUBLIC_URL', 'DEMO', 'MAIL_URL'])
    expect(names(open)).toEqual(['DEMO', 'MAIL_URL'])
    expect(readConfig({ ...open, DEMO: 'on' }).warnings).toEqual([
      expect.stringMatching(/^DEMO: is on; .*\/dev\/mail$/),
    ])
    expect(names({ ...open, DEMO: 'off', MAIL_URL: 'smtp://mail.example' })).toEqual([])
    expect(names({ ...open, DATABASE_URL: 'postgres://localhost/duet' })).toEqual(['MAIL_URL'])
  })

  it('Administrators need a second factor in production, elsewhere only if they set one up', () => {
    const production = { NODE_ENV: 'production', ...inProduction }
    expect(readConfig({}).adminSecondFactor).toBe('optional')
    expect(readConfig(production).adminSecondFactor).toBe('required')
    expect(readConfig({ ...production, ADMIN_SECOND_FACTOR: 'optional' }).adminSecondFactor).toBe('optional')
  })

  it.each([
    ['a short key', { SECRET_KEY: 'short' }, 'SECRET_KEY'],
    ['a key with one repeated letter', { SECRET_KEY: 'x'.repeat(48) }, 'SECRET_KEY'],
    ['a key that repeats itself', { SECRET_KEY: 'pT6Dq0sXw3bJ5vNf'.repeat(3) }, 'SECRET_KEY'],
    ['a key with few different characters', { SECRET_KEY: '010203040506070809010302050407060908' }, 'SECRET_KEY'],
    ['a sample key', { SECRET_KEY: 'change-me-to-a-long-random-string-please' }, 'SECRET_KEY'],
    ['a key from a tutorial', { SECRET_KEY: 'my super secret for the dating app, 2026' }, 'SECRET_KEY'],
    ['the key of the tests', { SECRET_KEY: 'a key for tests, long enough to be one' }, 'SECRET_KEY'],
    ['the same key twice', { SECRET_KEY_PREVIOUS: inProduction.SECRET_KEY }, 'SECRET_KEY_PREVIOUS'],
  ])('Production does not start with %s', (_what, changes, name) => {
    const lines = linesOf({ NODE_ENV: 'production', ...inProduction, ...changes })
    expect(lines.map((line) => line.split(':')[0])).toEqual([name])
    expect(linesOf({ ...inProduction, ...changes, SECRET_KEY: inProduction.SECRET_KEY })).toEqual([])
  })

  it.each([
    ['no address', { PUBLIC_URL: '' }, 'PUBLIC_URL'],
    ['an address without TLS', { PUBLIC_URL: 'http://duet.example' }, 'PUBLIC_URL'],
    ['TLS without a trusted proxy', { TRUST_PROXY: '' }, 'TRUST_PROXY'],
    ['no way to send mail', { MAIL_URL: '' }, 'MAIL_URL'],
    ['the demo world', { DEMO: 'on' }, 'DEMO'],
    ['rate limits that are too high', { RATE_LIMIT_SCALE: '10000' }, 'RATE_LIMIT_SCALE'],
  ])('Production warns about %s', (_what, changes, name) => {
    const mailed = { ...inProduction, MAIL_URL: 'smtp://mail.example', ...changes }
    const { warnings } = readConfig({ NODE_ENV: 'production', ...mailed })
    expect(warnings.map((line) => line.split(':')[0])).toEqual([name])
    expect(readConfig({ ...mailed, PUBLIC_URL: 'http://localhost:3000', HOST: '127.0.0.1' }).warnings).toEqual([])
  })

  it('A misspelt variable gets a hint, and variables of other programs do not', () => {
    const others = {
      HOSTNAME: 'a',
      DATABASE: 'b',
      LOGNAME: 'c',
      AWS_REGION: 'd',
      OTEL_EXPORTER_OTLP_HEADERS: 'e',
      HOME: '/',
    }
    const { warnings } = readConfig({ ...others, MAIL_URI: 'smtp://a', STORAGEURL: 's3://b', REDIS_ULR: 'redis://c' })
    expect(warnings).toEqual([
      'MAIL_URI: is unknown; did you mean MAIL_URL?',
      'STORAGEURL: is unknown; did you mean STORAGE_URL?',
      'REDIS_ULR: is unknown; did you mean REDIS_URL?',
    ])
  })

  it('An empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', DEMO: '', MAIL_URL: '' })).toMatchObject({ port: 3000, mailUrl: undefined })
  })
})
