import { relative, resolve, sep } from 'node:path'
import type { z } from 'zod'
import { storageUrl } from './config-values.ts'
import { Environment } from './environment.ts'
import type { MailSigning } from './platform/mail-signing.ts'
import { isOpenToOthers, productionFaults, productionWarnings, trialWarnings } from './production.ts'

export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly lines: string[]
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (const [place, its] of [...other].entries()) {
      const [left = 0, above = 0, before = 0] = [next[place], row[place + 1], row[place]]
      next.push(Math.min(left + 1, above + 1, before + (letter === its ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/**
 * Returns a line for each unknown variable whose name is close to one of ours. Short names are ignored, because they
 * are close to many.
 */
function misspelt(environment: Record<string, string | undefined>): string[] {
  const ours = Object.keys(Environment.shape).filter((name) => name.length >= 7)
  return Object.keys(environment).flatMap((name) => {
    if (!/^[A-Z_]{7,}$/.test(name) || name in Environment.shape || !environment[name]) return []
    const near = ours.find((known) => Math.abs(known.length - name.length) <= 2 && distance(name, known) <= 2)
    return near ? [`${name}: is unknown; did you mean ${near}?`] : []
  })
}

export const isSetting = (name: string): boolean => name in Environment.shape

/** Duet's variables, except DATA_DIR, because different paths can name the same folder. */
export const settingsIn = (environment: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.keys(Environment.shape).flatMap((name) => {
      const value = environment[name]
      return value && name !== 'DATA_DIR' ? [[name, value]] : []
    }),
  )

export interface Oidc {
  issuer: string
  clientId: string
  clientSecret: string
  name: string
}

export interface Config {
  production: boolean
  warnings: string[]
  port: number
  host: string
  /** The public URL without a trailing slash, also the allowed Origin. Defaults to http://localhost:PORT. */
  publicUrl: string | undefined
  dataDir: string
  databaseUrl: string | undefined
  /** The owner's connection, which bypasses the pooler. If set, `databaseUrl` is for the application's own login. */
  databaseDirectUrl: string | undefined
  /** Read replicas for searches. If unset, searches use the primary. */
  databaseReadUrl: string | undefined
  /** Whether to prepare statements; a pooler may not support it. */
  preparesStatements: boolean
  redisUrl: string | undefined
  /** `web` serves people, `worker` runs jobs. */
  role: 'all' | 'web' | 'worker'
  storageUrl: string | undefined
  /** Whether the reverse proxy sends photos and voice messages (`X-Accel-Redirect`). */
  filesByProxy: boolean
  backup: { to: string; passphrase: string } | undefined
  mailUrl: string | undefined
  mailFrom: string
  push: boolean
  /** A mailto: or https: address. Defaults to the sender address of emails. */
  pushContact: string | undefined
  /** If empty, pushes may go to any public host. */
  pushHosts: string[]
  /** If unset, Duet doesn't sign emails; the mail server may. */
  mailSigning: MailSigning | undefined
  demo: boolean
  chatPolicy: 'open' | 'matches'
  /** `optional` asks only administrators who set up a second factor. */
  adminSecondFactor: 'required' | 'optional'
  photoReview: 'after' | 'before'
  rateLimitScale: number
  superAdminEmail: string | undefined
  oidc: Oidc | undefined
  secretKey: string | undefined
  /** The previous key, needed as long as data made with it may exist. */
  previousSecretKey: string | undefined
  logLevel: string
  trustProxy: string | undefined
  metricsPort: number | undefined
  metricsHost: string
  tracesTo: string | undefined
}

const usualPort = 3000
/** For scheduled backups, which attackers may try to open for years. Manual backups may use shorter passphrases. */
const fewestOfPassphrase = 12

function lackOf(environment: Record<string, string | undefined>): string[] {
  const { ROLE, DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL, REDIS_URL } = environment
  const { FILES_BY_PROXY, TRUST_PROXY } = environment
  const { BACKUP_TO, BACKUP_PASSPHRASE = '' } = environment
  const { MAIL_URL, MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY_FILE } = environment
  const signs = [MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY_FILE]
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, PUBLIC_URL } = environment
  const oidc = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME]
  const isPart = ROLE === 'web' || ROLE === 'worker'
  const lacking: [boolean, string][] = [
    [
      Boolean(BACKUP_TO) && BACKUP_PASSPHRASE.length < fewestOfPassphrase,
      `BACKUP_PASSPHRASE: needs ${fewestOfPassphrase} characters with BACKUP_TO, because scheduled backups are encrypted`,
    ],
    [isPart && !(DATABASE_URL && REDIS_URL), 'ROLE: needs DATABASE_URL and REDIS_URL, which web and worker share'],
    [
      Boolean(DATABASE_DIRECT_URL) && !DATABASE_URL,
      "DATABASE_DIRECT_URL: needs DATABASE_URL, the address of the application's own login",
    ],
    [Boolean(DATABASE_READ_URL) && !DATABASE_URL, 'DATABASE_READ_URL: needs DATABASE_URL, the address of the primary'],
    [
      signs.some(Boolean) && !(signs.every(Boolean) && MAIL_URL),
      'MAIL_DKIM_DOMAIN: needs MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY_FILE and MAIL_URL, without which no email is sent',
    ],
    [
      oidc.some(Boolean) && !(oidc.every(Boolean) && PUBLIC_URL),
      'OIDC_ISSUER: needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME and PUBLIC_URL, where the provider sends people back',
    ],
    [
      FILES_BY_PROXY === 'on' && !TRUST_PROXY,
      'FILES_BY_PROXY: needs TRUST_PROXY, because nginx in front sends the files',
    ],
  ]
  return lacking.flatMap(([isLacking, line]) => (isLacking ? [line] : []))
}

/** An Amazon bucket is the same at each of Amazon's endpoints. */
function isSameBucket(one: string, other: string): boolean {
  const [a, b] = [one, other].map((value) => {
    const { hostname, searchParams } = new URL(value)
    const { host, pathname } = new URL(searchParams.get('endpoint') ?? 'https://amazonaws.com')
    return `${hostname} ${host.endsWith('amazonaws.com') ? '' : host + pathname.replace(/\/+$/, '')}`
  })
  return a === b
}

/** Folders in DATA_DIR that Duet itself deletes files from. */
const ownFolders = ['media', 'work', 'postgres', 'outbox', 'ledger']

function clashesOf({ BACKUP_TO, STORAGE_URL, DATA_DIR }: Record<string, string | undefined>): string[] {
  const isBucket = (value: string | undefined) => value?.startsWith('s3:') && storageUrl.safeParse(value).success
  if (!BACKUP_TO) return []
  if (BACKUP_TO.startsWith('s3:'))
    return STORAGE_URL && isBucket(BACKUP_TO) && isBucket(STORAGE_URL) && isSameBucket(BACKUP_TO, STORAGE_URL)
      ? ['BACKUP_TO: is the bucket of STORAGE_URL; name another one, so that backups are not lost with the files']
      : []
  const [folder = ''] = relative(resolve(DATA_DIR || 'data'), BACKUP_TO).split(sep)
  return ownFolders.includes(folder)
    ? [`BACKUP_TO: is in DATA_DIR/${folder}, which Duet clears; name another folder, ideally on another disk`]
    : []
}

/** Returns one line per invalid variable, about its first fault. */
function faultsOf(environment: Record<string, string | undefined>, issues: readonly z.core.$ZodIssue[]): string[] {
  const { NODE_ENV, PORT, METRICS_PORT, SECRET_KEY, SECRET_KEY_PREVIOUS } = environment
  const keys = { SECRET_KEY: SECRET_KEY || undefined, SECRET_KEY_PREVIOUS: SECRET_KEY_PREVIOUS || undefined }
  const isTaken = METRICS_PORT && Number(METRICS_PORT) !== 0 && Number(METRICS_PORT) === Number(PORT || usualPort)
  const lines = [
    ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    ...lackOf(environment),
    ...clashesOf(environment),
    ...(isTaken ? ['METRICS_PORT: must be another port than PORT'] : []),
    ...(NODE_ENV === 'production' ? productionFaults(keys) : []),
  ]
  const nameOf = (line: string) => line.slice(0, line.indexOf(':'))
  return lines.filter((line, index) => lines.findIndex((other) => nameOf(other) === nameOf(line)) === index)
}

/** The demo is on by default only where nobody else can reach it: strangers must not find /dev/mail by accident. */
function showsDemo(data: z.infer<typeof Environment>): boolean {
  if (data.DEMO !== undefined) return data.DEMO === 'on'
  return data.DATABASE_URL === undefined && data.NODE_ENV !== 'production' && !isOpenToOthers(data)
}

function scheduledBackup({ BACKUP_TO: to, BACKUP_PASSPHRASE: passphrase }: z.infer<typeof Environment>) {
  return to !== undefined && passphrase !== undefined ? { to, passphrase } : undefined
}

function mailSigning(data: z.infer<typeof Environment>): MailSigning | undefined {
  const { MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY_FILE: keyFile } = data
  return domain && selector && keyFile ? { domain, selector, keyFile: resolve(keyFile) } : undefined
}

function oidc(data: z.infer<typeof Environment>): Oidc | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = data
  return issuer && clientId && clientSecret && name ? { issuer, clientId, clientSecret, name } : undefined
}

export function readConfig(environment: Record<string, string | undefined>): Config {
  const { data, error } = Environment.safeParse(environment)
  const faults = faultsOf(environment, error?.issues ?? [])
  if (!data || faults.length > 0) throw new ConfigError(faults)
  const production = data.NODE_ENV === 'production'
  return {
    production,
    warnings: [...(production ? productionWarnings(data) : trialWarnings(data)), ...misspelt(environment)],
    port: data.PORT ?? usualPort,
    host: data.HOST ?? '127.0.0.1',
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: resolve(data.DATA_DIR ?? 'data'),
    databaseUrl: data.DATABASE_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    databaseReadUrl: data.DATABASE_READ_URL,
    preparesStatements: data.DATABASE_PREPARE !== 'off',
    redisUrl: data.REDIS_URL,
    role: data.ROLE ?? 'all',
    storageUrl: data.STORAGE_URL,
    filesByProxy: data.FILES_BY_PROXY === 'on',
    backup: scheduledBackup(data),
    mailUrl: data.MAIL_URL,
    mailSigning: mailSigning(data),
    mailFrom: data.MAIL_FROM ?? 'Duet <no-reply@duet.invalid>',
    push: data.PUSH !== 'off',
    pushContact: data.PUSH_CONTACT,
    pushHosts: data.PUSH_HOSTS ?? [],
    demo: showsDemo(data),
    chatPolicy: data.CHAT_POLICY ?? 'open',
    adminSecondFactor: data.ADMIN_SECOND_FACTOR ?? (production ? 'required' : 'optional'),
    photoReview: data.PHOTO_REVIEW ?? 'after',
    rateLimitScale: data.RATE_LIMIT_SCALE ?? 1,
    superAdminEmail: data.SUPER_ADMIN_EMAIL,
    oidc: oidc(data),
    secretKey: data.SECRET_KEY,
    previousSecretKey: data.SECRET_KEY_PREVIOUS,
    logLevel: data.LOG_LEVEL ?? 'info',
    trustProxy: data.TRUST_PROXY,
    metricsPort: data.METRICS_PORT,
    metricsHost: data.METRICS_HOST ?? '127.0.0.1',
    tracesTo: data.OTEL_EXPORTER_OTLP_ENDPOINT,
  }
}
