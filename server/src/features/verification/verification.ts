import type { Pose, Verification, VerificationReason } from '@duet/contract/verification.ts'
import { after, days, minutes } from '../../platform/clock.ts'
import { conflict } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { developPhoto } from '../photos/develop-aside.ts'
import { findOwnPhotos } from '../photos/photos.queries.ts'
import { forgetVerification } from './badge.ts'
import { drawPose } from './poses.ts'
import { keepSelfie, newSelfieName } from './selfies.ts'
import {
  findMainPhoto,
  findVerification,
  holdAccount,
  lockPerson,
  putAsked,
  setWaiting,
  type VerificationRow,
} from './verification.queries.ts'

const tries = { name: 'verification_tries', points: 5, seconds: days(7) / 1000 }
const poseMinutes = 10

function view(row: VerificationRow | undefined, now: Date): Verification {
  const state = row?.state as Verification['state'] | 'lost' | 'revoked' | undefined
  if (!row || !state || state === 'lost' || state === 'revoked') return { state: 'none' }
  if (state === 'asked') {
    if (row.expires_at <= now) return { state: 'none' }
    return { state, pose: row.pose as Pose, expiresAt: row.expires_at.toISOString() }
  }
  if (state === 'rejected') return { state, reason: row.reason as VerificationReason }
  return { state, ...(row.decided_at && { verifiedAt: row.decided_at.toISOString() }) }
}

export async function getVerification(
  platform: Pick<Platform, 'db' | 'clock'>,
  viewerId: string,
): Promise<Verification> {
  return view(await findVerification(platform.db, viewerId), platform.clock.now())
}

/** The error when others see no photo of the viewer, because there is none or all are awaiting review. */
async function noPhoto({ db }: Pick<Platform, 'db'>, viewerId: string) {
  const waits = (await findOwnPhotos(db, viewerId)).some(({ state }) => state === 'pending')
  return conflict(
    waits ? 'Your photo is waiting for review. Try again once it shows.' : 'Add a photo to your profile first.',
  )
}

/** Throws conflict for people without a visible photo, and for people who are already waiting or verified. */
async function requireStartable(
  platform: Pick<Platform, 'db'>,
  viewerId: string,
): Promise<VerificationRow | undefined> {
  const before = await findVerification(platform.db, viewerId)
  if (before?.state === 'waiting') throw conflict('Your selfie is waiting for review.')
  if (before?.state === 'approved') throw conflict("You're already verified.")
  if ((await findMainPhoto(platform.db, viewerId)) === null) throw await noPhoto(platform, viewerId)
  return before
}

/**
 * Draws a pose for the viewer, valid for ten minutes. Throws conflict without a photo and for people who are already
 * waiting or verified, and `rate_limited` after five a week.
 */
export async function startVerification(
  platform: Platform,
  viewerId: string,
  handsFree: boolean,
): Promise<Verification> {
  return transaction(platform, async (tx) => {
    await lockPerson(tx.db, viewerId)
    const before = await requireStartable(tx, viewerId)
    await tx.limits.spend(tries, viewerId)
    const now = tx.clock.now()
    const expiresAt = after(now, minutes(poseMinutes))
    const pose = drawPose(handsFree, before?.pose)
    await putAsked(tx.db, { userId: viewerId, pose, fileName: newSelfieName(), now, expiresAt })
    return view(await findVerification(tx.db, viewerId), now)
  })
}

async function requireAsked({ db, clock }: Pick<Platform, 'db' | 'clock'>, viewerId: string): Promise<VerificationRow> {
  const row = await findVerification(db, viewerId)
  if (row?.state !== 'asked' || row.expires_at <= clock.now()) throw conflict('Ask for a pose first.')
  return row
}

/**
 * Stores the viewer's selfie until it is decided. `read` runs only if a pose was requested. Throws conflict if no pose
 * was requested or it has expired, and what `developPhoto` throws.
 */
export async function sendSelfie(
  platform: Platform,
  viewerId: string,
  read: () => Promise<Buffer>,
): Promise<Verification> {
  await requireAsked(platform, viewerId)
  const { variants } = await developPhoto(platform, viewerId, await read())
  const [widest] = variants
  return transaction(platform, async (tx) => {
    // A concurrent erasure has either listed its files already, or waits for this lock.
    await holdAccount(tx.db, viewerId)
    await lockPerson(tx.db, viewerId)
    const { file_name: fileName } = await requireAsked(tx, viewerId)
    const photo = await findMainPhoto(tx.db, viewerId)
    if (photo === null || !widest) throw await noPhoto(tx, viewerId)
    // Inside the lock, so that only one of two concurrent selfies is stored. The row already names the file, so that a
    // failure here leaves no unknown file behind.
    await keepSelfie(tx, fileName, widest.bytes)
    await setWaiting(tx.db, viewerId, photo, tx.clock.now())
    return view(await findVerification(tx.db, viewerId), tx.clock.now())
  })
}

/** Withdraws the viewer's verification, whatever its state: deletes the selfie and removes the badge. */
export async function takeBackVerification(platform: Platform, viewerId: string): Promise<void> {
  await transaction(platform, async (tx) => {
    await lockPerson(tx.db, viewerId)
    await forgetVerification(tx, viewerId)
  })
}
