import type { Gender, Session } from '@duet/contract/accounts.ts'
import type {
  Activity,
  Facts,
  MyDetails,
  Profile,
  ProfileCard,
  ProfileChanges,
  Reason,
} from '@duet/contract/profiles.ts'
import { ageOn } from '../../platform/age.ts'
import { days } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform, Tx } from '../../platform/platform.ts'
import { candidatesOf, likableAmong } from '../candidates/candidates.ts'
import { agreementOf } from '../matching/agreement.ts'
import { matchingConstants } from '../matching/constants.ts'
import { rankingOf } from '../matching/ranking.ts'
import { reasonsFor } from '../matching/reasons.ts'
import { ownPhotoView, photosOf, reorderPhotos } from '../photos/photos.ts'
import { viewpointOf } from '../places/places.ts'
import { isOnline } from '../presence/presence.ts'
import { answersOf } from '../questions/questions.ts'
import { countChanges } from './changed-often.ts'
import { completenessOf, isOnboarded } from './completeness.ts'
import {
  type CardRow,
  type FactRow,
  findCards,
  findOwn,
  findSessionRow,
  insertProfile,
  lockFits,
  type OwnRow,
  updateProfile,
} from './profiles.queries.ts'
import { reasonText } from './reasons.ts'
import { sheetsToTell } from './told-sheets.ts'

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

function factsOf(row: FactRow): Facts {
  const { height_cm: heightCm, children, smoking, drinking, diet, languages, faith } = row
  return { heightCm, children, smoking, drinking, diet, languages, faith }
}

function ownView(platform: Pick<Platform, 'clock' | 'secrets' | 'config'>, row: OwnRow): MyDetails {
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
    facts: factsOf(row),
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

/** The viewer's own profile. */
export async function getMyDetails(
  platform: Pick<Platform, 'pool' | 'clock' | 'secrets' | 'config'>,
  viewerId: string,
): Promise<MyDetails> {
  const row = await findOwn(platform.pool, viewerId)
  if (!row) throw notFound()
  return ownView(platform, row)
}

/**
 * Changes any part of the viewer's profile: all of it or, when something is not valid, nothing. Throws `rate_limited` for
 * what others' filters look at once it was changed several times.
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
    await updateProfile(tx.db, viewerId, changes)
    if (changes.images) await reorderPhotos(tx, viewerId, changes.images)
  })
  return getMyDetails(platform, viewerId)
}

function activityOf(platform: Pick<Platform, 'clock' | 'realtime'>, row: CardRow): Activity {
  if (row.quiet) return 'earlier'
  if (isOnline(platform, row.id)) return 'online'
  const away = platform.clock.now().getTime() - row.last_active_at.getTime()
  if (away < days(1)) return 'today'
  return away < days(7) ? 'week' : 'earlier'
}

type Looking = Pick<Platform, 'db' | 'pool' | 'clock' | 'secrets' | 'realtime' | 'config'>

const nothingAsked = { agreed: 0, asked: 0 }

/** How far two sheets agree, once there are too many common questions to tell a single answer from the count. */
function tellable(one: Uint8Array | undefined, other: Uint8Array | undefined): Profile['questions'] {
  const { agreed, asked } = one && other ? agreementOf(one, other) : nothingAsked
  return asked >= matchingConstants.questionsLeast ? { agreed, asked } : nothingAsked
}

interface Kinship {
  /** What speaks for them, without what must not be told. */
  why(withheld: ReadonlySet<Reason['kind']>): Reason[]
  questions: Profile['questions']
}

/** What speaks for each of `ids` but the viewer, as ranking sees it, and on how many questions they agree with them. */
async function kinshipOf(platform: Looking, viewerId: string, ids: readonly string[]) {
  const kinship = new Map<string, Kinship>()
  const others = ids.filter((id) => id !== viewerId)
  const found = await candidatesOf(platform, viewerId, others)
  if (!found) return kinship
  const { model, rarity, languageRarity } = await rankingOf(platform)
  const sheets = await answersOf(platform.pool, [viewerId, ...found.candidates.map(({ id }) => id)])
  for (const candidate of found.candidates) {
    const now = { mine: sheets.get(viewerId), theirs: sheets.get(candidate.id) }
    const { mine, theirs } = sheetsToTell(viewerId, candidate.id, now)
    const [self, other] = [
      { ...found.self, sheet: mine },
      { ...candidate, sheet: theirs },
    ]
    const { distanceKm, daysInactive, isNew } = candidate
    const circumstances = { rarity, languageRarity, distanceKm, active: daysInactive === 0, isNew }
    const why: Kinship['why'] = (withheld) =>
      reasonsFor(model, self, other, { ...circumstances, slotKind: 'regular', withheld })
    kinship.set(candidate.id, { why, questions: tellable(mine, theirs) })
  }
  return kinship
}

/** Reasons that would reveal what a person hides. */
function withheldFrom(row: CardRow): ReadonlySet<Reason['kind']> {
  return new Set([...(row.hide_distance ? ['near' as const] : []), ...(row.quiet ? ['active_today' as const] : [])])
}

function cardOf(platform: Looking, row: CardRow, photos: ProfileCard['photos'], why: Reason[]): ProfileCard {
  return {
    id: row.id,
    name: row.name,
    age: ageOn(row.birth_date, platform.clock.now()),
    images: photos.map((photo) => photo.fileName),
    photos,
    distanceKm: row.distance_km,
    area: row.area,
    bio: row.bio,
    interests: row.interests,
    active: activityOf(platform, row),
    verified: row.verified,
    reasons: why.map(reasonText),
    why,
  }
}

/** The profiles of `ids` in that order, without those the viewer may not see. */
export async function profilesOf(platform: Looking, viewerId: string, ids: readonly string[]): Promise<Profile[]> {
  if (ids.length === 0) return []
  const from = await viewpointOf(platform, viewerId)
  const [rows, photos, kinship, likable] = await Promise.all([
    findCards(platform.db, viewerId, ids, from, platform.config.chatPolicy === 'matches'),
    photosOf(platform, viewerId, ids),
    kinshipOf(platform, viewerId, ids),
    likableAmong(platform, viewerId, ids),
  ])
  const profiles = new Map(
    rows.map((row): [string, Profile] => {
      const { why, questions = nothingAsked } = kinship.get(row.id) ?? {}
      const { gender, pronouns, intents, prompts, matched, may_message: mayMessage } = row
      const profile = {
        ...cardOf(platform, row, photos.get(row.id) ?? [], why?.(withheldFrom(row)) ?? []),
        ...{ gender, genderText: row.gender_text, pronouns, intents, prompts, facts: factsOf(row), questions },
        ...{ myDecision: row.my_decision, matched, canLike: likable.has(row.id) && !matched, mayMessage },
      }
      return [row.id, profile]
    }),
  )
  return ids.flatMap((id) => profiles.get(id) ?? [])
}

/** The cards of `ids` in that order, without those the viewer may not see. */
export function cardsOf(platform: Looking, viewerId: string, ids: readonly string[]): Promise<ProfileCard[]> {
  return profilesOf(platform, viewerId, ids)
}

/** A person's page as the viewer may see it; undefined for blocked, hidden and missing people alike. */
export async function findProfile(platform: Looking, viewerId: string, userId: string): Promise<Profile | undefined> {
  return isUuid(userId) ? (await profilesOf(platform, viewerId, [userId]))[0] : undefined
}

/** The same. Throws not found. */
export async function getUser(platform: Looking, viewerId: string, userId: string): Promise<Profile> {
  const profile = await findProfile(platform, viewerId, userId)
  if (!profile) throw notFound()
  return profile
}
