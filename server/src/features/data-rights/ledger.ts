import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Somebody who was erased, and when. */
export interface Erased {
  userId: string
  erasedAt: string
}

/** Where the ledger is kept beside the database, so that it survives the loss of it. */
export const ledgerFile = (dataDir: string) => join(dataDir, 'ledger', 'erased.jsonl')

/** Adds a line to the ledger; it is on disk when this is done. */
export async function noteErased(dataDir: string, erased: Erased): Promise<void> {
  await mkdir(join(dataDir, 'ledger'), { recursive: true, mode: 0o700 })
  const file = await open(ledgerFile(dataDir), 'a', 0o600)
  try {
    await file.appendFile(`${JSON.stringify(erased)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const linePattern = /^\{"userId":"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}","erasedAt":"[0-9TZ:.-]{20,30}"\}$/

/**
 * Everybody in a ledger; nobody when there is none. A last line that was cut off is left out: whoever it was about is
 * due still. Throws for anything else that is no ledger.
 */
export async function readLedger(path: string): Promise<Erased[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n').slice(0, -1)
  if (!lines.every((line) => linePattern.test(line))) throw new Error(`${path} is no ledger of erased accounts`)
  return lines.map((line) => JSON.parse(line) as Erased)
}
