import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Keyed hashes with one key per purpose, all derived from SECRET_KEY. */
export interface Secrets {
  hmac(purpose: string, ...parts: string[]): Buffer
  /** Earlier keys, whose hashes are still accepted during a key rotation. */
  earlier?: readonly Secrets[]
}

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

/** A fingerprint of the key that reveals nothing else about it. */
export const keyMark = (secrets: Secrets): string => secrets.hmac('key-mark', '').toString('base64url')

/** Compares in constant time. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

export async function findKeptSecretKey(dataDir: string): Promise<string | undefined> {
  const kept = await readFile(join(dataDir, 'secret-key'), 'utf8').catch(() => '')
  return kept.length >= 32 ? kept : undefined
}

/** Creates the key on first use. Processes that start together end up with the same key. */
export async function keptSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret-key')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  await mkdir(dataDir, { recursive: true })
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600 })
  // Replaces a truncated file, but never a complete key written by another process.
  if (kept) await rm(file, { force: true })
  await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(unfinished)
  return readFile(file, 'utf8')
}
