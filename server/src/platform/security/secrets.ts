import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Keyed hashes, one key a purpose, all derived from SECRET_KEY. */
export interface Secrets {
  /** HMAC-SHA256 of `parts` under the key of `purpose`. */
  hmac(purpose: string, ...parts: string[]): Buffer
  /** The same under keys that were in use before: what they made still counts. */
  earlier?: readonly Secrets[]
}

/** The keys that something may have been made with, the newest first. */
export function everyKey(secrets: Secrets): Secrets[] {
  return [secrets, ...(secrets.earlier ?? [])]
}

export function createSecrets(secretKey: string, previousKey?: string): Secrets {
  const keys = new Map<string, Buffer>()
  const keyOf = (purpose: string) => {
    const known = keys.get(purpose) ?? createHmac('sha256', secretKey).update(purpose).digest()
    keys.set(purpose, known)
    return known
  }
  return {
    hmac: (purpose, ...parts) => createHmac('sha256', keyOf(purpose)).update(parts.join('\n')).digest(),
    ...(previousKey !== undefined && { earlier: [createSecrets(previousKey)] }),
  }
}

/** Tells a key from another one, and says nothing else about it. */
export const keyMark = (secrets: Secrets): string => secrets.hmac('key-mark', '').toString('base64url')

/** Whether two byte strings are equal, in a time that does not depend on where they differ. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The key that the data directory has; undefined without one. */
export async function findKeptSecretKey(dataDir: string): Promise<string | undefined> {
  const kept = await readFile(join(dataDir, 'secret-key'), 'utf8').catch(() => '')
  return kept.length >= 32 ? kept : undefined
}

/** The key kept in the data directory; made on first use, and once when several processes start at the same time. */
export async function keptSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-key')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  await mkdir(dataDir, { recursive: true })
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600 })
  // A file that is too short to be a key is of no use; a whole one of another process holds.
  if (kept) await rm(file, { force: true })
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(unfinished)
  return readFile(file, 'utf8')
}
