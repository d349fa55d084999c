import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { type MailSigning, signerOf } from './mail-signing.ts'

/** The kinds that metrics distinguish. All other emails count as notices. */
export type MailKind = 'code' | 'news' | 'contact' | 'notice'

export interface Mail {
  kind?: MailKind
  /** A retry, whose first attempt was already counted. */
  isRepeated?: boolean
  to: string
  subject: string
  text: string
  html?: string
  /** A POST to this address unsubscribes without a sign-in (RFC 8058). */
  unsubscribeUrl?: string
}

export interface Mailer {
  /** Throws if the email wasn't accepted, or if it's unknown whether it was (`isUncertain`). */
  send(mail: Mail): Promise<void>
  /** Deletes an address's emails from the outbox. Does nothing for sent ones. */
  forget(to: string): Promise<void>
  forgetBefore(moment: Date): Promise<void>
  verify(): Promise<void>
  close(): void
}

// Keeps the source readable: ASCII text stays unencoded in any language, so that a code can be found without decoding.
const readable = { textEncoding: 'quoted-printable' } as const

const lineLength = 76

/** Wraps at 76 characters: ASCII lines up to that length need no encoding. */
function folded(text: string): string {
  const lines: string[] = []
  for (let line of text.split('\n')) {
    while (line.length > lineLength) {
      const before = line.lastIndexOf(' ', lineLength)
      const gap = before > 0 ? before : line.indexOf(' ', lineLength)
      if (gap < 0) break
      lines.push(line.slice(0, gap))
      line = line.slice(gap + 1)
    }
    lines.push(line)
  }
  return lines.join('\n')
}

/** `Auto-Submitted` keeps vacation responders from answering (RFC 3834). */
function composed({ kind: _, isRepeated: __, unsubscribeUrl, text, ...mail }: Mail) {
  const headers = {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
  return { ...mail, text: folded(text), headers, ...(unsubscribeUrl && { list: { unsubscribe: unsubscribeUrl } }) }
}

function written(address: string): string {
  const mailbox = address.slice(0, address.lastIndexOf('@'))
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return `${mailbox}@${domainToASCII(domain) || domain}`.toLowerCase()
}

function isTo(mail: string, to: string): boolean {
  const [head = ''] = mail.split(/\r?\n\r?\n/, 1)
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ')
  const field = /^to:\s*(.*)/im.exec(unfolded)?.[1] ?? ''
  // The header quotes and escapes unusual local parts, so drop those characters before comparing.
  const address = (/<([^<>]*)>/.exec(field)?.[1] ?? field).replace(/["\\\s]/g, '')
  return written(address) === written(to.replace(/["\\\s]/g, ''))
}

interface Answer {
  code?: string
  command?: string
  response?: string
  responseCode?: number
}
const answerIn = (error: unknown): Answer => (error ?? {}) as Answer

/** `gone`: the mailbox doesn't exist. `us`: the server rejects us or this email. `later`: a retry may work. */
export type Meaning = 'gone' | 'us' | 'later'

/**
 * Status codes for mailboxes that don't exist (RFC 3463, RFC 7505). All other refusals may be about us as the sender.
 */
const goneStatuses = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])
/**
 * For servers that send no status code. "Mailbox unavailable" isn't included, because RFC 5321 uses it for any refusal.
 */
const goneWords =
  /\b(no such|unknown|invalid|non-?existent) (local )?(user|mailbox|recipient|account|person)\b|\b(user|mailbox|recipient|account|address) (is )?(unknown|not found|not known|disabled|does(n't| not) exist)\b|\bno (mailbox|one|user) (here )?by that name\b/i
const wordsAboutUs = /\b(sender|relay\w*|polic\w+|client|spam|blocked|listed)\b/i
const fullStatus = '5.2.2'

/** Only the reply to the recipient command can mean that a mailbox is gone. */
export function meaningOf(error: unknown): Meaning {
  const { command, response = '', responseCode = 0 } = answerIn(error)
  if (responseCode < 500) return 'later'
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  if (status === fullStatus || (!status && responseCode === 552)) return 'later'
  const isGone = status ? goneStatuses.has(status) : goneWords.test(response) && !wordsAboutUs.test(response)
  return isGone && command === 'RCPT TO' ? 'gone' : 'us'
}

/** Whether the server refused only this email or recipient and may still accept others. */
export function isRefused(error: unknown): boolean {
  const { code, command, responseCode } = answerIn(error)
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM' && responseCode !== 421
}

export const isRefusedForGood = (error: unknown): boolean =>
  isRefused(error) && (answerIn(error).responseCode ?? 0) >= 500

/** Whether the server is down, hangs or refuses everything from us, so later emails would fail too. */
export function isAway(error: unknown): boolean {
  return /^E[A-Z]/.test(answerIn(error).code ?? '') && !isRefused(error)
}

/** Writes each email to a .eml file named by time. A file becomes visible only when complete. */
export function outboxMailer(folder: string, from: string): Mailer {
  const compose = createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, { from, ...readable })
  return {
    async send(mail) {
      const { message } = await compose.sendMail(composed(mail))
      await mkdir(folder, { recursive: true })
      const name = `${Date.now()}-${randomBytes(6).toString('hex')}.eml`
      const unfinished = join(folder, `.${name}.part`)
      await writeFile(unfinished, message as Buffer, { mode: 0o600 })
      await rename(unfinished, join(folder, name))
    },
    async forget(to) {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        if (isTo(await readFile(path, 'utf8').catch(() => ''), to)) await rm(path, { force: true })
      }
    },
    async forgetBefore(moment) {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name)
        const { mtime } = await stat(path).catch(() => ({ mtime: moment }))
        if (mtime < moment) await rm(path, { force: true })
      }
    },
    verify: async () => void (await mkdir(folder, { recursive: true })),
    close: () => compose.close(),
  }
}

const uncertain = 'EUNCERTAIN'

/**
 * Whether an email was sent completely but never acknowledged: it may have been accepted, so a retry could duplicate
 * it.
 */
export const isUncertain = (error: unknown): boolean => answerIn(error).code === uncertain

interface Watched {
  onWhole(): void
}
type Watch = Parameters<ReturnType<typeof createTransport>['use']>[1]
const watch: Watch = ({ data, message }, done) => {
  const make = message.createReadStream.bind(message)
  message.createReadStream = (options) => make(options).once('end', (data as unknown as Watched).onWhole)
  done()
}

/**
 * Limits in milliseconds for sending an email, including the wait for a connection, and then for the final reply.
 * Relays that scan for viruses before replying take half a minute.
 */
const patience = { handOverMs: 45_000, answerMs: 60_000 }

export function smtpMailer(
  url: string,
  from: string,
  signing?: MailSigning,
  { handOverMs, answerMs } = patience,
): Mailer {
  const dkim = signing && signerOf(signing)
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: answerMs }
  const open = () => {
    const transport = createTransport(
      { url, pool: true, maxConnections: 2, ...limits, ...(dkim && { dkim }) },
      { from, ...readable },
    )
    transport.use('stream', watch)
    return transport
  }
  // Codes use separate connections: while the mail server hangs, they are retried repeatedly, and other emails must not
  // wait behind them.
  const forCodes = open()
  const forOthers = open()
  return {
    async send(mail) {
      const limit = new AbortController()
      const within = (ms: number) => setTimeout(() => limit.abort(), ms)
      let isWhole = false
      let timer = within(handOverMs)
      const onWhole = () => {
        isWhole = true
        clearTimeout(timer)
        timer = within(answerMs)
      }
      try {
        const transport = mail.kind === 'code' ? forCodes : forOthers
        await transport.sendMail({ ...composed(mail), signal: limit.signal, ...{ onWhole } })
      } catch (cause) {
        if (!isWhole || answerIn(cause).responseCode !== undefined) throw cause
        throw Object.assign(new Error('the mail server never confirmed the email', { cause }), { code: uncertain })
      } finally {
        clearTimeout(timer)
      }
    },
    forget: async () => undefined,
    forgetBefore: async () => undefined,
    verify: async () => void (await forOthers.verify()),
    close: () => {
      forCodes.close()
      forOthers.close()
    },
  }
}

export type MailOutcome = 'taken' | Meaning | 'uncertain'

export function countedMailer(mailer: Mailer, onMail: (kind: MailKind, outcome: MailOutcome) => void): Mailer {
  return {
    ...mailer,
    async send(mail) {
      const count = (outcome: MailOutcome) => mail.isRepeated || onMail(mail.kind ?? 'notice', outcome)
      try {
        await mailer.send(mail)
      } catch (error) {
        count(isUncertain(error) ? 'uncertain' : meaningOf(error))
        throw error
      }
      count('taken')
    },
  }
}

export function openMailer({
  mailUrl,
  mailFrom,
  mailSigning,
  dataDir,
}: Pick<Config, 'mailUrl' | 'mailFrom' | 'mailSigning' | 'dataDir'>): Mailer {
  return mailUrl ? smtpMailer(mailUrl, mailFrom, mailSigning) : outboxMailer(join(dataDir, 'outbox'), mailFrom)
}
