import type { Gender, Session } from '@duet/contract/accounts.ts'
import type { Activity, MyDetails, Profile, ProfileCard, ProfileChanges } from '@duet/contract/profiles.ts'
import { ageOn } from '../../platform/age.ts'
import { days } from '../../platform/clock.ts'
import type { Db } from '../../platform/database.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { transaction } from '../../platform/transaction.ts'
import { ownPhotoView, photosOf, reorderPhotos } from '../photos/photos.ts'
import { viewpointOf } from '../places/places.ts'
import { isOnline } from '../presence/presence.ts'
import { completenessOf, isOnboarded } from './completeness.ts'
import {
  type CardRow,
  findCards,
  findOwn,
  findSessionRow,
  insertProfile,
  lockAges,
  type OwnRow,
  updateProfile,
} from './profiles.queries.ts'

interface NewProfile {
  name: string
  birthDate: string
  gender?: Gender | undefined
  interestedIn?: Gender[] | undefined
}

/** Gives a new account its profile. */
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

/** What a session carries of its person's profile. */
export async function sessionProfile(
  db: Db,
  userId: string,
): Promise<Pick<Session, 'name' | 'images' | 'onboardingComplete'>> {
  const row = await findSessionRow(db, userId)
  if (!row) throw notFound()
  return { name: row.name, images: row.images, onboardingComplete: isOnboarded(row) }
}

function ownView(platform: Pick<Platform, 'clock' | 'secrets'>, row: OwnRow): MyDetails {
  const images = row.photos.map((photo) => photo.file_name)
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    birthDate: row.birth_date,
    age: ageOn(row.birth_date, platform.clock.now()),
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
    images,
    photos: row.photos.map((photo) => ownPhotoView(platform, row.id, photo)),
    area: row.area,
    verified: row.verified,
    isSuperAdmin: row.is_super_admin,
    onboardingComplete: isOnboarded({ gender: row.gender, located: row.area !== null, images }),
    completeness: completenessOf(row),
    createdAt: row.created_at.toISOString(),
  }
}

/** The viewer's own profile. */
export async function getMyDetails(
  platform: Pick<Platform, 'pool' | 'clock' | 'secrets'>,
  viewerId: string,
): Promise<MyDetails> {
  const row = await findOwn(platform.pool, viewerId)
  if (!row) throw notFound()
  return ownView(platform, row)
}

/** Changes any part of the viewer's profile: all of it or, when something is not valid, nothing. */
export async function updateUser(platform: Platform, viewerId: string, changes: ProfileChanges): Promise<MyDetails> {
  await transaction(platform, async (tx) => {
    const ages = await lockAges(tx.db, viewerId)
    if ((changes.ageMin ?? ages.age_min) > (changes.ageMax ?? ages.age_max)) {
      throw invalid([
        { path: changes.ageMin === undefined ? 'ageMax' : 'ageMin', message: 'ageMin must not be above ageMax' },
      ])
    }
    await updateProfile(tx.db, viewerId, changes)
    if (changes.images) await reorderPhotos(tx, viewerId, changes.images)
  })
  return getMyDetails(platform, viewerId)
}

function activityOf(platform: Pick<Platform, 'clock' | 'realtime'>, row: CardRow): Activity {
  if (isOnline(platform, row.id)) return 'online'
  const away = platform.clock.now().getTime() - row.last_active_at.getTime()
  if (away < days(1)) return 'today'
  return away < days(7) ? 'week' : 'earlier'
}

type Looking = Pick<Platform, 'db' | 'clock' | 'secrets' | 'realtime' | 'config'>

async function profilesOf(platform: Looking, viewerId: string, ids: readonly string[]): Promise<Map<string, Profile>> {
  const from = await viewpointOf(platform, viewerId)
  const rows = await findCards(platform.db, viewerId, ids, from)
  const photos = await photosOf(
    platform,
    viewerId,
    rows.map((row) => row.id),
  )
  const now = platform.clock.now()
  return new Map(
    rows.map((row): [string, Profile] => {
      const visible = photos.get(row.id) ?? []
      return [
        row.id,
        {
          id: row.id,
          name: row.name,
          age: ageOn(row.birth_date, now),
          images: visible.map((photo) => photo.fileName),
          photos: visible,
          distanceKm: row.distance_km,
          area: row.area,
          bio: row.bio,
          interests: row.interests,
          active: activityOf(platform, row),
          verified: row.verified,
          reasons: [],
          gender: row.gender,
          genderText: row.gender_text,
          pronouns: row.pronouns,
          intents: row.intents,
          prompts: row.prompts,
        },
      ]
    }),
  )
}

/** The cards of `ids` in that order, without those the viewer may not see. */
export async function cardsOf(platform: Looking, viewerId: string, ids: readonly string[]): Promise<ProfileCard[]> {
  const profiles = await profilesOf(platform, viewerId, ids)
  return ids.flatMap((id) => profiles.get(id) ?? [])
}

/** Somebody's page as the viewer may see it. Throws not found for blocked, hidden and missing people alike. */
export async function getUser(platform: Looking, viewerId: string, userId: string): Promise<Profile> {
  const profile = isUuid(userId) ? (await profilesOf(platform, viewerId, [userId])).get(userId) : undefined
  if (!profile) throw notFound()
  return profile
}
