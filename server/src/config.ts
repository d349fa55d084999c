import { relative, resolve, sep } from 'node:path'
import type { z } from 'zod'
import { storageUrl } from './config-values.ts'
import { Environment } from './environment.ts'
import type { MailSigning } from './platform/mail-signing.ts'
import { isOpenToOthers, productionFaults, productionWarnings, trialWarnings } from './production.ts'

/** Thrown when the environment is wrong: one line per variable. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly lines: string[]
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** How many letters have to be added, taken away or exchanged to make one word of another. */
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

/** Variables that no one knows and whose name is nearly one of ours, a line each. Short names are near many. */
function misspelt(environment: Record<string, string | undefined>): string[] {
  const ours = Object.keys(Environment.shape).filter((name) => name.length >= 7)
  return Object.keys(environment).flatMap((name) => {
    if (!/^[A-Z_]{7,}$/.test(name) || name in Environment.shape || !environment[name]) return []
    const near = ours.find((known) => Math.abs(known.length - name.length) <= 2 && distance(name, known) <= 2)
    return near ? [`${name}: is unknown; did you mean ${near}?`] : []
  })
}

/** Whether Duet reads a variable of this name. */
export const isSetting = (name: string): boolean => name in Environment.shape

/** The variables of Duet that are set, but for DATA_DIR, which one path names in several ways. */
export const settingsIn = (environment: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.keys(Environment.shape).flatMap((name) => {
      const value = environment[name]
      return value && name !== 'DATA_DIR' ? [[name, value]] : []
    }),
  )

/** A provider of OpenID Connect, and what we are to it. */
export interface Oidc {
  issuer: string
  clientId: string
  clientSecret: string
  /** What people call it: "Sign in with …". */
  name: string
}

/** The environment, read once. Paths are absolute. */
export interface Config {
  production: boolean
  /** What is not wrong and should be known: one line each. */
  warnings: string[]
  port: number
  host: string
  /** Where people reach us, without a slash at the end; the allowed Origin. Unset: http://localhost:PORT. */
  publicUrl: string | undefined
  dataDir: string
  databaseUrl: string | undefined
  /** The owner's address, past a pooler; `databaseUrl` is then that of the application's own login. */
  databaseDirectUrl: string | undefined
  /** Read replicas, which searches ask. Unset: the primary answers them. */
  databaseReadUrl: string | undefined
  /** Whether statements are prepared; a pooler may not allow it. */
  preparesStatements: boolean
  redisUrl: string | undefined
  /** What this process does: answers people, runs jobs, or both. */
  role: 'all' | 'web' | 'worker'
  storageUrl: string | undefined
  /** Photos and voice notes are sent by the proxy in front, which is told where they are (`X-Accel-Redirect`). */
  filesByProxy: boolean
  /** Where a sealed backup goes every night. */
  backup: { to: string; passphrase: string } | undefined
  mailUrl: string | undefined
  mailFrom: string
  /** Whether browsers are pushed to at all. */
  push: boolean
  /** How push services reach the operator: mailto: or https:. Unset: by the address that mails come from. */
  pushContact: string | undefined
  /** The only hosts that are pushed to; none: all that are public. */
  pushHosts: string[]
  /** Mails are signed by us; unset: by the mail server, or by no one. */
  mailSigning: MailSigning | undefined
  demo: boolean
  chatPolicy: 'open' | 'matches'
  /** Optional: asked of those administrators alone who have set one up. */
  adminSecondFactor: 'required' | 'optional'
  photoReview: 'after' | 'before'
  rateLimitScale: number
  superAdminEmail: string | undefined
  /** Whose accounts sign people in as well. */
  oidc: Oidc | undefined
  secretKey: string | undefined
  /** The key before it, while what was made with it may still be about. */
  previousSecretKey: string | undefined
  logLevel: string
  /** Addresses or networks of proxies in front, or how many there are. */
  trustProxy: string | undefined
  metricsPort: number | undefined
  /** Where figures are served: this machine alone, unless it says otherwise. */
  metricsHost: string
  /** Where traces go: a collector of OpenTelemetry. */
  tracesTo: string | undefined
}

const usualPort = 3000
/** Of one that seals what others may try to open for years. What was sealed with a shorter one by hand can be opened. */
const fewestOfPassphrase = 12

/** Variables without those that they need, a line each. */
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
      `BACKUP_PASSPHRASE: needs ${fewestOfPassphrase} characters with BACKUP_TO; what goes elsewhere by itself is sealed`,
    ],
    [
      isPart && !(DATABASE_URL && REDIS_URL),
      'ROLE: needs DATABASE_URL and REDIS_URL, by which web and worker share their work',
    ],
    [
      Boolean(DATABASE_DIRECT_URL) && !DATABASE_URL,
      "DATABASE_DIRECT_URL: needs DATABASE_URL, the address of the application's own login",
    ],
    [Boolean(DATABASE_READ_URL) && !DATABASE_URL, 'DATABASE_READ_URL: needs DATABASE_URL, the address of the primary'],
    [
      signs.some(Boolean) && !(signs.every(Boolean) && MAIL_URL),
      'MAIL_DKIM_DOMAIN: needs MAIL_DKIM_SELECTOR, MAIL_DKIM_KEY_FILE and MAIL_URL; without MAIL_URL no mail leaves',
    ],
    [
      oidc.some(Boolean) && !(oidc.every(Boolean) && PUBLIC_URL),
      'OIDC_ISSUER: needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME and PUBLIC_URL, where the provider sends people back',
    ],
    [
      FILES_BY_PROXY === 'on' && !TRUST_PROXY,
      'FILES_BY_PROXY: needs TRUST_PROXY, the nginx in front that is told where files are',
    ],
  ]
  return lacking.flatMap(([isLacking, line]) => (isLacking ? [line] : []))
}

/** Whether two variables name the same bucket. A bucket of Amazon's is the same one by each of its addresses. */
function isSameBucket(one: string, other: string): boolean {
  const [a, b] = [one, other].map((value) => {
    const { hostname, searchParams } = new URL(value)
    const { host, pathname } = new URL(searchParams.get('endpoint') ?? 'https://amazonaws.com')
    return `${hostname} ${host.endsWith('amazonaws.com') ? '' : host + pathname.replace(/\/+$/, '')}`
  })
  return a === b
}

/** What Duet itself keeps in DATA_DIR, and clears. */
const ownFolders = ['media', 'work', 'postgres', 'outbox', 'ledger']

/** Why two variables must not name these places, a line each. */
function clashesOf({ BACKUP_TO, STORAGE_URL, DATA_DIR }: Record<string, string | undefined>): string[] {
  const isBucket = (value: string | undefined) => value?.startsWith('s3:') && storageUrl.safeParse(value).success
  if (!BACKUP_TO) return []
  if (BACKUP_TO.startsWith('s3:'))
    return STORAGE_URL && isBucket(BACKUP_TO) && isBucket(STORAGE_URL) && isSameBucket(BACKUP_TO, STORAGE_URL)
      ? ['BACKUP_TO: is the bucket of STORAGE_URL; name another one, so that backups are not lost with the files']
      : []
  const [folder = ''] = relative(resolve(DATA_DIR || 'data'), BACKUP_TO).split(sep)
  return ownFolders.includes(folder)
    ? [`BACKUP_TO: is in DATA_DIR/${folder}, which Duet clears; name another folder, best of another disk`]
    : []
}

/** One line for each variable that is wrong: by itself, beside another one, or for production. */
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

/** The demo world is shown on a machine of one's own; others must not find /dev/mail by accident. */
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

/** Reads and checks the environment. Throws `ConfigError` with one line per wrong variable. */
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
