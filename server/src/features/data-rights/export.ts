import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AppLanguage } from '@duet/contract/accounts.ts'
import type { Export } from '@duet/contract/data-rights.ts'
import { promised } from '@duet/contract/promised.ts'
import yazl from 'yazl'
import { after, days, hours, minutes } from '../../platform/clock.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { removeWithCommit } from '../../platform/file-removal.ts'
import { isUuid } from '../../platform/ids.ts'
import { eachOne, eachStep } from '../../platform/jobs/each-one.ts'
import { addJobIn } from '../../platform/jobs/jobs.ts'
import type { Platform } from '../../platform/platform.ts'
import { freshUntil } from '../../platform/security/policy.ts'
import type { Viewer } from '../../platform/security/session.ts'
import { isSigned, type Signature, signUntil } from '../../platform/security/signed-urls.ts'
import { transaction } from '../../platform/transaction.ts'
import { notify, withdraw } from '../notifications/notifications.ts'
import {
  type ExportRow,
  findExpiredExports,
  findExport,
  holdAccount,
  isFetchable,
  putFailed,
  putReady,
  putWorking,
  removeExport,
  setProgress,
} from './export.queries.ts'
import { filesOf, type OwnFile, readContent } from './export-content.ts'
import { exportKey, isExportFile, newExportName } from './export-file.ts'
import { exportPage } from './export-page.ts'

const daily = { name: 'exports', points: 1, seconds: days(1) / 1000 }
const purpose = 'export-url'
const collapseKey = 'export'
const lifeMs = hours(promised.exportHours)
/** How long an export's URL is valid. Short, because the URL gives access to all of a person's data. */
const addressMs = minutes(10)
/** An export that has been running for longer was abandoned by its process. */
const mostMs = hours(6)

const none: Export = { state: 'none', progress: 0, url: null, expiresAt: null, bytes: null }

/** The name that is signed. It includes the session, so the URL works only in that session. */
const signedName = (fileName: string, sessionId: string) => `${fileName}/${sessionId}`

function addressFor(
  platform: Pick<Platform, 'secrets' | 'clock'>,
  { id, sessionId }: Viewer,
  fileName: string,
  expiresAt: Date,
): string {
  const until = new Date(Math.min(expiresAt.getTime(), after(platform.clock.now(), addressMs).getTime()))
  const signature = signUntil(platform, purpose, signedName(fileName, sessionId), id, until)
  return `/media/exports/${fileName}?session=${sessionId}&${signature}`
}

function view(platform: Pick<Platform, 'secrets' | 'clock'>, viewer: Viewer, row: ExportRow | undefined): Export {
  if (!row) return none
  const { state, progress, file_name: fileName, expires_at: expiresAt, bytes } = row
  if (state !== 'ready' || !fileName || !expiresAt) return { ...none, state, progress }
  const now = platform.clock.now()
  if (expiresAt <= now) return none
  const url = freshUntil(viewer.authenticatedAt) > now ? addressFor(platform, viewer, fileName, expiresAt) : null
  return { state, progress: 1, url, expiresAt: expiresAt.toISOString(), bytes }
}

/** The state of the viewer's export. Includes the URL only within ten minutes of re-authentication. */
export async function getExport(platform: Pick<Platform, 'db' | 'secrets' | 'clock'>, viewer: Viewer): Promise<Export> {
  return view(platform, viewer, await findExport(platform.db, viewer.id))
}

/**
 * Starts an export of everything about the viewer, replacing an earlier one. If one is running, it continues. Throws
 * `rate_limited` for more than one a day; failed exports don't count.
 */
export async function requestExport(platform: Platform, viewer: Viewer, language: AppLanguage): Promise<Export> {
  const { id: viewerId } = viewer
  const now = platform.clock.now()
  const before = await findExport(platform.db, viewerId)
  const isWorking = before?.state === 'working' && after(before.asked_at, mostMs) > now
  if (!isWorking) {
    await transaction(platform, async (tx) => {
      if (before?.state !== 'failed') await tx.limits.spend(daily, viewerId)
      await putWorking(tx.db, viewerId, language, now)
      await withdraw(tx, viewerId, collapseKey)
      if (before?.file_name) await removeWithCommit(tx, [exportKey(before.file_name)])
      await addJobIn(tx.db, 'make-export', { userId: viewerId }, `export:${viewerId}`)
    })
  }
  return getExport(platform, viewer)
}

/**
 * `db` must use the owner's connection, because reading everything in one snapshot may take longer than a request may.
 */
export type Making = Pick<Platform, 'db' | 'clock' | 'log' | 'storage' | 'config' | 'realtime'>

function addFile(zip: yazl.ZipFile, { path, read }: OwnFile, log: Making['log'], onRead: () => void): void {
  zip.addReadStreamLazy(path, { compress: false }, (give) => {
    read().then(
      (bytes) => {
        if (!bytes) log.warn({ path: path.split('/')[0] }, 'a file of an export is not in the store')
        onRead()
        give(null, Readable.from([bytes ?? Buffer.alloc(0)]))
      },
      (error: Error) => give(error, Readable.from([])),
    )
  })
}

async function write(platform: Making, userId: string, language: AppLanguage, path: string): Promise<void> {
  const content = await readContent(platform.db, userId)
  const files = filesOf(platform, content)
  const zip = new yazl.ZipFile()
  const madeAt = platform.clock.now().toISOString()
  zip.addBuffer(Buffer.from(JSON.stringify({ madeAt, ...content }, null, 2)), 'data.json')
  zip.addBuffer(Buffer.from(exportPage(content, { language, madeAt })), 'index.html')
  let read = 0
  const onRead = () => {
    read += 1
    if (read % 10 === 0) void setProgress(platform.db, userId, read / files.length).catch(() => undefined)
  }
  for (const file of files) addFile(zip, file, platform.log, onRead)
  zip.end()
  const written = createWriteStream(path, { mode: 0o600 })
  zip.on('error', (error: Error) => written.destroy(error))
  await pipeline(zip.outputStream, written)
}

const workFolder = ({ config }: Pick<Making, 'config'>) => join(config.dataDir, 'work')

/** Makes a requested export. Idempotent. After a failure, the person has to request another one. */
export async function makeExport(platform: Making, userId: string): Promise<void> {
  const row = await findExport(platform.db, userId)
  if (row?.state !== 'working') return
  const fileName = newExportName()
  const path = join(workFolder(platform), fileName)
  await mkdir(workFolder(platform), { recursive: true, mode: 0o700 })
  try {
    await write(platform, userId, row.language as AppLanguage, path)
    const { size: bytes } = await stat(path)
    await platform.storage.putFile(exportKey(fileName), path, 'application/zip')
    const expiresAt = after(platform.clock.now(), lifeMs)
    const isWanted = await transaction(platform, async (tx) => {
      // A concurrent erasure either has already listed the files to delete, so the account is gone, or waits for this
      // lock.
      await holdAccount(tx.db, userId)
      const isPut = await putReady(tx.db, userId, { fileName, bytes, expiresAt })
      if (isPut) await notify(tx, userId, { kind: 'export_ready', link: '/settings/data', collapseKey })
      return isPut
    })
    if (!isWanted) await platform.storage.remove(exportKey(fileName))
  } catch (error) {
    await Promise.allSettled([platform.storage.remove(exportKey(fileName)), putFailed(platform.db, { userId })])
    platform.log.error({ err: error }, 'an export could not be made')
  } finally {
    await rm(path, { force: true })
  }
}

interface ExportAddress extends Signature {
  /** The id of the session that the URL was issued to. */
  session: string
}

/**
 * Opens an export's file for the holder of its signed URL. Throws forbidden if the signature is wrong or has expired,
 * and not found if the export, the account or the session no longer exists.
 */
export async function openExport(
  platform: Pick<Platform, 'db' | 'secrets' | 'clock' | 'storage'>,
  fileName: string,
  signature: ExportAddress,
): Promise<{ stream: Readable; size: number }> {
  if (!isExportFile(fileName)) throw notFound()
  const { viewer, session } = signature
  const isOurs = isSigned(platform, purpose, signedName(fileName, session), signature)
  if (!isUuid(viewer) || !isUuid(session) || !isOurs) throw forbidden()
  const isThere = await isFetchable(
    platform.db,
    { viewerId: viewer, sessionId: session },
    fileName,
    platform.clock.now(),
  )
  const opened = isThere ? await platform.storage.open(exportKey(fileName)) : undefined
  if (!opened) throw notFound()
  return opened
}

export async function sweepExports(platform: Making): Promise<void> {
  const now = platform.clock.now()
  const over = await findExpiredExports(platform.db, now)
  await eachOne(
    platform,
    over,
    'an export could not be removed; the next run retries',
    ({ user_id: id, file_name: name }) =>
      transaction(platform, async (tx) => {
        await removeExport(tx.db, id, name)
        await removeWithCommit(tx, [exportKey(name)])
        await withdraw(tx, id, collapseKey)
      }),
  )
  const left = await readdir(workFolder(platform)).catch(() => [])
  await eachStep(
    () => putFailed(platform.db, { before: after(now, -mostMs) }),
    ...left.map((name) => async () => {
      const path = join(workFolder(platform), name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }))
      if (mtimeMs < now.getTime() - mostMs) await rm(path, { force: true, recursive: true })
    }),
  )
}
