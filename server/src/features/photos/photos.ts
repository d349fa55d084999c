import { limits } from '@duet/contract/limits.ts'
import type { OwnPhoto, OwnPhotos, Photo } from '@duet/contract/photos.ts'
import { after, days } from '../../platform/clock.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { removeWithCommit } from '../../platform/file-removal.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import type { Signature } from '../../platform/security/signed-urls.ts'
import { transaction } from '../../platform/transaction.ts'
import { developPhoto } from './develop-aside.ts'
import type { Developed, Width } from './developed.ts'
import { isPhotoFile, keepFiles, keyOf, keysOf, removeFiles } from './photo-files.ts'
import { isPhotoAddress, signPhoto } from './photo-urls.ts'
import {
  countPhotos,
  findByName,
  findFirstPhotos,
  findOwner,
  findOwnPhotos,
  findPhotos,
  findUnderReview,
  findWaitingPhotos,
  followMainPhotos,
  insertPhoto,
  isPhotoVisible,
  lockOwner,
  lockPhoto,
  type OwnPhotoRow,
  type PhotoRow,
  putPhotoReview,
  removePhoto,
  shown,
  updateAlt,
  updatePositions,
  updateReview,
  type WaitingPhotoRow,
} from './photos.queries.ts'
import type { UploadedFile } from './upload.ts'

type Signing = Pick<Platform, 'secrets' | 'clock'>
type Looking = Signing & Pick<Platform, 'db' | 'config'>

/** How long reviewers can undo their own review. */
const undoable = days(1)
const uploads = { name: 'photo_uploads', points: 30, seconds: 3_600 }

export function photoView(platform: Signing, viewerId: string, row: PhotoRow): Photo {
  return {
    fileName: row.file_name,
    url: signPhoto(platform, viewerId, row.file_name),
    alt: row.alt,
    width: row.width,
    height: row.height,
    blurhash: row.blurhash,
  }
}

export function ownPhotoView(
  platform: Signing & Pick<Platform, 'config'>,
  ownerId: string,
  row: OwnPhotoRow,
): OwnPhoto {
  const visible = row.state === 'approved' || (row.state === 'pending' && showsPending(platform))
  return { ...photoView(platform, ownerId, row), state: row.state, visible }
}

export async function ownPhotos(platform: Looking, ownerId: string): Promise<OwnPhotos> {
  const rows = await findOwnPhotos(platform.db, ownerId)
  return {
    images: rows.map((row) => row.file_name),
    photos: rows.map((row) => ownPhotoView(platform, ownerId, row)),
  }
}

const showsPending = ({ config }: Pick<Platform, 'config'>) => config.photoReview === 'after'

/**
 * Stores PHOTO_REVIEW in the database at each start, because database functions for badges, likes and messages depend
 * on which photos others see.
 */
export function notePhotoReview(platform: Platform): Promise<void> {
  return transaction(platform, async (tx) => {
    if (await putPhotoReview(tx.db, tx.config.photoReview, tx.clock.now())) await followMainPhotos(tx.db)
  })
}

export const shownStates = (platform: Pick<Platform, 'config'>) => shown(showsPending(platform))

/** The visible photos of each of `userIds`, in order. People without any are left out. */
export async function photosOf(
  platform: Looking,
  viewerId: string,
  userIds: readonly string[],
): Promise<Map<string, Photo[]>> {
  if (userIds.length === 0) return new Map()
  return byOwner(platform, viewerId, await findPhotos(platform.db, viewerId, userIds, showsPending(platform)))
}

function byOwner(platform: Signing, viewerId: string, rows: readonly (PhotoRow & { user_id: string })[]) {
  const photos = new Map<string, Photo[]>()
  for (const row of rows) {
    const list = photos.get(row.user_id) ?? []
    list.push(photoView(platform, viewerId, row))
    photos.set(row.user_id, list)
  }
  return photos
}

export async function photosUnderReview(
  platform: Signing & Pick<Platform, 'db'>,
  reviewerId: string,
  userIds: readonly string[],
): Promise<Map<string, Photo[]>> {
  return byOwner(platform, reviewerId, await findUnderReview(platform.db, userIds))
}

/** Includes rejected photos. */
export async function photosNamed(
  platform: Signing & Pick<Platform, 'db'>,
  adminId: string,
  fileNames: readonly string[],
): Promise<Map<string, Photo>> {
  const rows = await findByName(platform.db, fileNames)
  return new Map(rows.map((row) => [row.file_name, photoView(platform, adminId, row)]))
}

export async function firstPhotosOf(
  platform: Looking,
  pairs: readonly { viewerId: string; userId: string }[],
): Promise<(Photo | undefined)[]> {
  const photos: (Photo | undefined)[] = pairs.map(() => undefined)
  if (pairs.length === 0) return photos
  for (const { place, ...row } of await findFirstPhotos(platform.db, pairs, showsPending(platform)))
    photos[place] = photoView(platform, pairs[place]?.viewerId ?? '', row)
  return photos
}

/** Throws `photo_limit_reached`. */
export async function addKept(
  tx: Pick<Tx, 'db' | 'clock'>,
  ownerId: string,
  kept: { fileName: string; photo: Omit<Developed, 'variants'>; state: OwnPhotoRow['state']; alt?: string }[],
): Promise<void> {
  if (!(await lockOwner(tx.db, ownerId))) throw notFound()
  if ((await countPhotos(tx.db, ownerId)) + kept.length > limits.photos) throw limitReached()
  for (const { fileName, photo, state, alt = '' } of kept) {
    const { width, height, blurhash, sha256 } = photo
    const row = { file_name: fileName, alt, width, height, blurhash, sha256, state }
    await insertPhoto(tx.db, { ...row, userId: ownerId, now: tx.clock.now() })
  }
}

/** Keeps the old photo's description. Throws not found if the old photo is gone. */
async function replaceKept(
  tx: Pick<Tx, 'db' | 'clock' | 'afterCommit'>,
  ownerId: string,
  replaced: string,
  kept: Parameters<typeof addKept>[2][number],
): Promise<void> {
  await lockOwner(tx.db, ownerId)
  const own = await findOwnPhotos(tx.db, ownerId)
  const old = own.find((row) => row.file_name === replaced)
  if (!old) throw notFound()
  await removePhoto(tx.db, ownerId, replaced)
  await removeWithCommit(tx, keysOf(replaced))
  await addKept(tx, ownerId, [{ ...kept, alt: old.alt }])
  const order = own.map((row) => (row === old ? kept.fileName : row.file_name))
  await updatePositions(tx.db, ownerId, order)
}

const limitReached = () =>
  new AppError('photo_limit_reached', `There is room for ${limits.photos} photos. Remove one first.`)

async function developAll(
  platform: Platform,
  viewerId: string,
  files: AsyncIterable<UploadedFile>,
  replaces: string | undefined,
): Promise<Developed[]> {
  const free = replaces ? 1 : limits.photos - (await countPhotos(platform.db, viewerId))
  const developed: Developed[] = []
  for await (const file of files) {
    if (developed.length >= free) throw replaces ? invalid([{ path: 'file', message: 'must be one' }]) : limitReached()
    await platform.limits.spend(uploads, viewerId)
    developed.push(await developPhoto(platform, viewerId, await file.read()))
  }
  return developed
}

/**
 * Adds uploaded photos to the viewer's own, all or none, or replaces the photo `replaces` with the uploaded one. Throws
 * not found for another person's photos and if `replaces` is gone; `photo_limit_reached`; `rate_limited`; and what
 * `developPhoto` throws.
 */
export async function addPhotos(
  platform: Platform,
  viewerId: string,
  ownerId: string,
  files: AsyncIterable<UploadedFile>,
  replaces?: string,
): Promise<OwnPhotos> {
  if (ownerId !== viewerId || (replaces && !isPhotoFile(replaces))) throw notFound()
  const photos = await developAll(platform, viewerId, files, replaces)
  const kept: { fileName: string; photo: Developed; state: 'pending' }[] = []
  try {
    for (const photo of photos) kept.push({ fileName: await keepFiles(platform, photo), photo, state: 'pending' })
    const [only] = kept
    await transaction(platform, (tx) =>
      replaces && only ? replaceKept(tx, ownerId, replaces, only) : addKept(tx, ownerId, kept),
    )
  } catch (error) {
    // If it is unknown whether the transaction committed, rows may refer to the files, so they are left to the sweep.
    if (error instanceof AppError) await Promise.allSettled(kept.map(({ fileName }) => removeFiles(platform, fileName)))
    throw error
  }
  return ownPhotos(platform, ownerId)
}

/** Removes one of the viewer's photos for everyone, immediately. Throws not found for any other photo. */
export async function deletePhoto(platform: Platform, viewerId: string, fileName: string): Promise<OwnPhotos> {
  if (!isPhotoFile(fileName)) throw notFound()
  await transaction(platform, async (tx) => {
    await lockOwner(tx.db, viewerId)
    if (!(await removePhoto(tx.db, viewerId, fileName))) throw notFound()
    await removeWithCommit(tx, keysOf(fileName))
  })
  return ownPhotos(platform, viewerId)
}

/** Sets the description of one of the viewer's photos. Throws not found for any other photo. */
export async function describePhoto(
  platform: Platform,
  viewerId: string,
  fileName: string,
  alt: string,
): Promise<OwnPhotos> {
  if (!isPhotoFile(fileName) || !(await updateAlt(platform.db, viewerId, fileName, alt))) throw notFound()
  return ownPhotos(platform, viewerId)
}

/** Reorders the owner's photos. Throws invalid unless `fileNames` are exactly the existing ones. */
export async function reorderPhotos(tx: Pick<Tx, 'db'>, ownerId: string, fileNames: readonly string[]): Promise<void> {
  await lockOwner(tx.db, ownerId)
  const own = (await findOwnPhotos(tx.db, ownerId)).map((row) => row.file_name)
  if ([...own].sort().join() !== [...fileNames].sort().join()) {
    throw invalid([{ path: 'images', message: 'must be a permutation of the photos there are' }])
  }
  await updatePositions(tx.db, ownerId, fileNames)
}

interface MediaAddress extends Signature {
  fileName: string
  width: Width
}

/**
 * The storage key of a photo, for the holder of a signed URL. Throws forbidden if the signature is wrong or has
 * expired, and not found if the photo is gone or the viewer may no longer see it.
 */
export async function findPhoto(
  platform: Looking & Pick<Platform, 'pool' | 'budgets'>,
  { fileName, width, ...signed }: MediaAddress,
): Promise<string> {
  if (!isPhotoFile(fileName)) throw notFound()
  if (!isUuid(signed.viewer) || !isPhotoAddress(platform, fileName, signed)) throw forbidden()
  platform.budgets.countFile(signed.viewer)
  const looking = { viewerId: signed.viewer, showPending: showsPending(platform), now: platform.clock.now() }
  if (!(await isPhotoVisible(platform.pool, fileName, looking))) throw notFound()
  return keyOf('photos', width, fileName)
}

// Locks the person before the photo, like all transactions, to avoid deadlocks.
async function lockReviewed(tx: Pick<Tx, 'db'>, fileName: string) {
  const ownerId = await findOwner(tx.db, fileName)
  const photo = ownerId && (await lockOwner(tx.db, ownerId)) ? await lockPhoto(tx.db, fileName) : undefined
  if (!photo) throw notFound()
  return photo
}

/**
 * Returns the reviewer's own review of a photo within the last day. Throws not found; conflict if another reviewer
 * decided or it is too late.
 */
export async function getOwnReview(tx: Pick<Tx, 'db' | 'clock'>, reviewerId: string, fileName: string) {
  const photo = await lockReviewed(tx, fileName)
  const since = after(tx.clock.now(), -undoable)
  if (photo.state === 'pending' || photo.reviewed_by !== reviewerId || !photo.reviewed_at || photo.reviewed_at < since)
    throw conflict("This review can't be undone any more.")
  return photo
}

export function unreviewPhoto(tx: Pick<Tx, 'db'>, fileName: string): Promise<void> {
  return updateReview(tx.db, fileName, { state: 'pending', reviewerId: null, now: null })
}

/** Returns the owner's id. Throws not found if the photo is gone, and conflict if it has already been decided. */
export async function reviewPhoto(
  tx: Pick<Tx, 'db' | 'clock'>,
  reviewerId: string,
  fileName: string,
  state: 'approved' | 'rejected',
): Promise<string> {
  const photo = await lockReviewed(tx, fileName)
  if (photo.state !== 'pending') throw conflict('This photo has already been reviewed.')
  await updateReview(tx.db, fileName, { state, reviewerId, now: tx.clock.now() })
  return photo.user_id
}

export interface WaitingPhoto {
  row: WaitingPhotoRow
  photo: Photo
}

export async function photosWaiting(
  platform: Signing & Pick<Platform, 'db'>,
  reviewerId: string,
  after: { at: string; fileName: string } | undefined,
  limit: number,
): Promise<WaitingPhoto[]> {
  const rows = await findWaitingPhotos(platform.db, reviewerId, after, limit)
  return rows.map((row) => ({ row, photo: photoView(platform, reviewerId, row) }))
}
