import { after, days } from '../../platform/clock.ts'
import { createAwayGuard, eachOne } from '../../platform/jobs/each-one.ts'
import type { Platform } from '../../platform/platform.ts'
import { shuffleByChance } from '../../platform/random.ts'
import { type FileKind, fileKindOf } from '../../platform/storage/storage.ts'
import { findUnnamed } from './file-sweep.queries.ts'

type Sweeping = Pick<Platform, 'db' | 'clock' | 'log' | 'storage'>

/** A file is written before its row. After this time, a file without a row is a leftover. */
const graceMs = days(1)
const atOnce = 500
/** The most files removed in one night. The rest is removed the next night. */
const mostRemoved = 10_000
/**
 * If more files than this, and more than a tenth of all files, have no row, the file store probably belongs to another
 * database. Evidence doesn't count, because a lot of it may expire on one day: a year after many reports were closed.
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
 * Removes files that are older than a day and that no row refers to: leftovers of an interruption before the row was
 * written, files that a restore brought back, and evidence that no report needs anymore. If so many files have no row
 * that the file store must belong to another database, removes nothing and logs an error.
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
  // If none of the other files has a row, evidence counts too.
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
