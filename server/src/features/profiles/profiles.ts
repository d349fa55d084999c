import type { Gender, Session } from '@duet/contract/accounts.ts'
import type { MyDetails, ProfileChanges } from '@duet/contract/profiles.ts'
import { shownAge } from '../../platform/age.ts'
import type { Db } from '../../platform/database/database.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { setFoundAfter } from '../candidates/candidates.ts'
import { ownPhotoView, reorderPhotos } from '../photos/photos.ts'
import { statedFacts } from './cards.ts'
import { countChanges } from './changed-often.ts'
import { completenessOf, isOnboarded } from './completeness.ts'
import { rememberName } from './former-names.queries.ts'
import { findOwn, findSessionRow, insertProfile, lockFits, type OwnRow, updateProfile } from './profiles.queries.ts'

interface NewProfile {
  name: string
  birthDate: string
  gender?: Gender | undefined
  interestedIn?: Gender[] | undefined
}

export function createProfile(tx: Pick<Tx, 'db' | 'clock'>, userId: string, profile: NewProfile): Promise<void> {
  return insertProfile(tx.db, {
    userId,
    name: profile.name,
    birthDate: profile.birthDate,
    gender: profile.gender ?? null,
    interestedIn: profile.interestedIn ?? [],
    now: tx.clock.now(),
  })
}

export async function sessionProfile(
  db: Db,
  userId: string,
): Promise<Pick<Session, 'name' | 'images' | 'onboardingComplete'>> {
  const row = await findSessionRow(db, userId)
  if (!row) throw notFound()
  return { name: row.name, images: row.images, onboardingComplete: isOnboarded(row) }
}

function ownView(platform: Pick<Platform, 'clock' | 'secrets' | 'config'>, row: OwnRow): MyDetails {
  const images = row.photos.map((photo) => photo.file_name)
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    birthDate: row.birth_date,
    age: shownAge(row.birth_date, platform.clock.now()),
    gender: row.gender,
    genderText: row.gender_text,
    pronouns: row.pronouns,
    bio: row.bio,
    intents: row.intents,
    interests: row.interests,
    prompts: row.prompts,
    interestedIn: row.interested_in,
    ageMin: row.age_min,
    ageMax: row.age_max,
    maxDistanceKm: row.max_distance_km,
    facts: statedFacts(row),
    preferences: row.preferences,
    paused: row.paused,
    learnFromMe: row.learn_from_me,
    readReceipts: row.read_receipts,
    images,
    photos: row.photos.map((photo) => ownPhotoView(platform, row.id, photo)),
    area: row.area,
    verified: row.verified,
    isSuperAdmin: row.is_super_admin,
    onboardingComplete: isOnboarded({ gender: row.gender, located: row.area !== null, images }),
    completeness: completenessOf(row),
    createdAt: row.created_at.toISOString(),
    ...(row.erase_at && { eraseAt: row.erase_at.toISOString() }),
  }
}

export async function getMyDetails(
  platform: Pick<Platform, 'pool' | 'clock' | 'secrets' | 'config'>,
  viewerId: string,
): Promise<MyDetails> {
  const row = await findOwn(platform.pool, viewerId)
  if (!row) throw notFound()
  return ownView(platform, row)
}

/**
 * Changes parts of the viewer's profile, or nothing if any part isn't valid. Throws `rate_limited` after several
 * changes to fields that others filter by.
 */
export async function updateUser(platform: Platform, viewerId: string, changes: ProfileChanges): Promise<MyDetails> {
  await transaction(platform, async (tx) => {
    const before = await lockFits(tx.db, viewerId)
    if ((changes.ageMin ?? before.ageMin) > (changes.ageMax ?? before.ageMax)) {
      throw invalid([
        { path: changes.ageMin === undefined ? 'ageMax' : 'ageMin', message: 'ageMin must not be above ageMax' },
      ])
    }
    await countChanges(tx, viewerId, before, changes)
    if (changes.name !== undefined) await rememberName(tx.db, viewerId, changes.name, tx.clock.now())
    await updateProfile(tx.db, viewerId, changes)
    if (changes.paused === false) await setFoundAfter(tx, [viewerId])
    if (changes.images) await reorderPhotos(tx, viewerId, changes.images)
  })
  return getMyDetails(platform, viewerId)
}
