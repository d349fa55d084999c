import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { makeFolder, syncFolder } from '../../platform/storage/durable.ts'

const UserId = z.guid().lowercase()
const Moment = z.iso.datetime()

const Erased = z.strictObject({ userId: UserId, erasedAt: Moment })
/** A person's decision about their erasure: the scheduled time (null if they cancelled), and when they decided. */
const Decided = z.strictObject({ userId: UserId, eraseAt: Moment.nullable(), notedAt: Moment })
const Spent = z.strictObject({ userId: UserId, spentCode: z.string().regex(/^[0-9a-f]{64}$/), spentAt: Moment })
const Entry = z.union([Erased, Decided, Spent])
export type Erased = z.output<typeof Erased>
export type ErasureDecision = z.output<typeof Decided>
export type LedgerEntry = z.output<typeof Entry>

/** Stored outside the database, so that it survives the loss of the database. */
export const ledgerFile = (dataDir: string) => join(dataDir, 'ledger', 'erased.jsonl')

/** Appends entries to the ledger. Resolves once they are on disk. */
export async function noteInLedger(dataDir: string, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return
  const path = ledgerFile(dataDir)
  await makeFolder(dirname(path), 0o700)
  const file = await open(path, 'a', 0o600)
  try {
    // Starts with a line break, because a full disk or a power cut may have truncated the previous entry.
    await file.appendFile(`\n${entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')}`)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dirname(path))
}

/**
 * Records that a recovery code was used. Call it before the commit, so that a restored database doesn't accept the code
 * again.
 */
export function noteSpentCode(dataDir: string, userId: string, hash: Buffer, spentAt: Date): Promise<void> {
  return noteInLedger(dataDir, [{ userId, spentCode: hash.toString('hex'), spentAt: spentAt.toISOString() }])
}

const beginning = '{"userId":"'
/**
 * Whether the text may be an entry truncated by a full disk or a power cut: its beginning, perhaps followed by zeros.
 */
const isCutOff = (text: string) => beginning.startsWith(text) || (text.startsWith(beginning) && !text.includes('}'))

function parse(text: string): LedgerEntry | undefined {
  try {
    return Entry.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Returns the entry at the end of a line, if any. Undefined for a line that can't be part of a ledger. */
function readLine(line: string): LedgerEntry[] | undefined {
  const text = line.replaceAll('\0', '')
  const start = Math.max(0, text.lastIndexOf('{'))
  // biome-ignore lint/plugin/cut-text: a cut before a brace splits no character.
  const rest = text.slice(0, start)
  // biome-ignore lint/plugin/cut-text: a cut before a brace splits no character.
  const entry = parse(text.slice(start))
  if (entry) return isCutOff(rest) ? [entry] : undefined
  return isCutOff(text) ? [] : undefined
}

/**
 * All entries of a ledger, in order; none if the file doesn't exist. Skips truncated entries, because their
 * transactions didn't commit. Throws for any other invalid line.
 */
export async function readLedger(path: string): Promise<LedgerEntry[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').flatMap((line) => {
    const entries = readLine(line)
    if (!entries) throw new Error(`${path} is no ledger of erased accounts`)
    return entries
  })
}
