import { after, days } from '../../platform/clock.ts'
import { createAwayGuard, eachOne } from '../../platform/jobs/each-one.ts'
import type { Platform } from '../../platform/platform.ts'
import { shuffleByChance } from '../../platform/random.ts'
import { type FileKind, fileKindOf } from '../../platform/storage/storage.ts'
import { findUnnamed } from './file-sweep.queries.ts'

type Sweeping = Pick<Platform, 'db' | 'clock' | 'log' | 'storage'>

/** A file is written before its row. After this time, its row won't come any more. */
const graceMs = days(1)
const atOnce = 500
/** The most files to remove in one night; the rest follows the next night. */
const mostRemoved = 10_000
/**
 * If more files than this, and more than a tenth of all, have no row, the store probably belongs to another database.
 * Evidence doesn't count: all of a day's goes together, a year after many reports were decided.
 */
const leftovers = 20

type Batch = Map<FileKind, string[]>

async function unnamedOf({ db }: Sweeping, batch: Batch): Promise<string[]> {
  const found: string[] = []
  for (const [kind, keys] of batch) {
    const nameOf = (key: string) => key.slice(key.lastIndexOf('/') + 1)
    const unnamed = await findUnnamed(db, kind, keys.map(nameOf))
    found.push(...keys.filter((key) => unnamed.has(nameOf(key))))
  }
  return found
}

async function* batches({ storage, clock }: Sweeping): AsyncIterable<Batch> {
  const before = after(clock.now(), -graceMs)
  let [batch, size]: [Batch, number] = [new Map(), 0]
  for await (const { key, writtenAt } of storage.list()) {
    const kind = fileKindOf(key)
    if (!kind || writtenAt >= before) continue
    batch.set(kind, [...(batch.get(kind) ?? []), key])
    if (++size < atOnce) continue
    yield batch
    ;[batch, size] = [new Map(), 0]
  }
  yield batch
}

/**
 * Removes files older than a day that no row names: leftovers of an interruption between a file and its row, files that
 * a restore brought back, and evidence that no report needs any more. Removes nothing and logs an error when so many
 * files have no row that the store must belong to another database.
 */
export async function sweepFiles(platform: Sweeping): Promise<void> {
  await platform.storage.removeUnfinished(after(platform.clock.now(), -graceMs))
  const unnamed: string[] = []
  let seen = 0
  for await (const batch of batches(platform)) {
    for (const [kind, keys] of batch) if (kind !== 'evidence') seen += keys.length
    unnamed.push(...(await unnamedOf(platform, batch)))
    if (unnamed.length > mostRemoved) break
  }
  const others = unnamed.filter((key) => !key.startsWith('evidence/')).length
  // When no other file has a row, files of evidence are counted too.
  const isKnown = seen > others
  if (isKnown ? others > leftovers && others > seen / 10 : unnamed.length > leftovers) {
    const details = { files: seen, unnamed: unnamed.length }
    return platform.log.error(details, 'too many files have no row: is this the store of another Duet? None is removed')
  }
  let removed = 0
  const store = createAwayGuard()
  const message = 'a file that no row names could not be removed; it is tried again'
  // In random order, so that files that can't be removed don't block all others.
  await eachOne(platform, shuffleByChance(unnamed), message, (key) =>
    store.run(async () => {
      await platform.storage.remove(key)
      removed++
    }),
  )
  if (removed > 0) platform.log.info({ files: removed }, 'files that no row names were removed')
}
