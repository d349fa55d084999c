import type { Activity, Facts, Profile, ProfileCard, Reason } from '@duet/contract/profiles.ts'
import { shownAge } from '../../platform/age.ts'
import { days } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Searcher, searcherOf } from '../candidates/candidates.ts'
import { agreementOf } from '../matching/agreement.ts'
import { matchingConstants } from '../matching/constants.ts'
import { type Ranking, rankingOf } from '../matching/ranking.ts'
import { reasonsFor } from '../matching/reasons.ts'
import { photoView, shownStates } from '../photos/photos.ts'
import { isOnline } from '../presence/presence.ts'
import { type CardRow, type FactRow, findCards } from './cards.queries.ts'
import { reasonText } from './reasons.ts'
import { type Sheets, sheetsToTell } from './told-sheets.ts'

type Looking = Pick<Platform, 'db' | 'pool' | 'clock' | 'secrets' | 'realtime' | 'config'>

export function statedFacts(row: FactRow): Facts {
  const { height_cm: heightCm, children, smoking, drinking, diet, languages, faith } = row
  return { heightCm, children, smoking, drinking, diet, languages, faith }
}

function activityOf(platform: Looking, row: CardRow, isQuiet: boolean): Activity {
  if (isQuiet) return 'earlier'
  if (isOnline(platform, row.id)) return 'online'
  const away = platform.clock.now().getTime() - row.last_active_at.getTime()
  if (away < days(1)) return 'today'
  return away < days(7) ? 'week' : 'earlier'
}

type Told = ReadonlyMap<string, Sheets>

/** The answer sheets that decide which agreement the viewer sees on these cards. Empty if the viewer has no answers. */
async function toldAmong(platform: Looking, { self }: Searcher, rows: readonly CardRow[]): Promise<Told> {
  const others = rows.flatMap(({ id, sheet }) => (sheet && id !== self.id ? [{ id, sheet }] : []))
  if (!self.sheet || others.length === 0) return new Map()
  return sheetsToTell(platform, { id: self.id, sheet: self.sheet }, others)
}

const nothingAsked = { agreed: 0, asked: 0 }

/** How far two sheets agree; nothing if they have too few common questions to hide a single answer in the count. */
function tellable(one: Uint8Array | undefined, other: Uint8Array | undefined): Profile['questions'] {
  const { agreed, asked } = one && other ? agreementOf(one, other) : nothingAsked
  return asked >= matchingConstants.questionsLeast ? { agreed, asked } : nothingAsked
}

function kinshipOf(
  { self, place }: Searcher,
  { model, rarity, languageRarity }: Ranking,
  row: CardRow,
  { age, withheld, told }: { age: number; withheld: ReadonlySet<Reason['kind']>; told: Told },
) {
  const { id, traits, avoids, spoken: languages, interests_1, interests_2 } = row
  if (!place || traits === null || id === self.id) return { why: [], questions: nothingAsked }
  const { mine, theirs } = told.get(id) ?? { mine: undefined, theirs: undefined }
  const other = { id, age, traits, avoids, languages, interests: [interests_1, interests_2] as const, sheet: theirs }
  const { near_km: distanceKm, here_today: active, is_new: isNew } = row
  const circumstances = { rarity, languageRarity, distanceKm, active, isNew, withheld, slotKind: 'regular' as const }
  const why = reasonsFor(model, { ...self, sheet: mine }, other, circumstances)
  return { why, questions: tellable(mine, theirs) }
}

function profileOf(platform: Looking, searcher: Searcher, ranking: Ranking, told: Told, row: CardRow): Profile {
  const age = shownAge(row.birth_date, platform.clock.now())
  const isQuiet = row.hide_presence || searcher.hidesPresence
  // Reasons that would reveal what the person hides.
  const withheld = new Set<Reason['kind']>([
    ...(row.hide_distance ? ['near' as const] : []),
    ...(isQuiet ? ['active_today' as const] : []),
  ])
  const { why, questions } = kinshipOf(searcher, ranking, row, { age, withheld, told })
  const photos = row.photos.map((photo) => photoView(platform, searcher.viewerId, photo))
  const canLike = row.fits && searcher.place !== null && searcher.mayLike && !row.matched
  const { gender, pronouns, intents, prompts, matched, may_message: mayMessage } = row
  return {
    id: row.id,
    name: row.name,
    age,
    images: photos.map((photo) => photo.fileName),
    photos,
    distanceKm: row.distance_km,
    area: row.area,
    bio: row.bio,
    interests: row.interests,
    active: activityOf(platform, row, isQuiet),
    verified: row.verified,
    reasons: why.map(reasonText),
    why,
    gender,
    genderText: row.gender_text,
    pronouns,
    intents,
    prompts,
    facts: statedFacts(row),
    questions,
    myDecision: row.my_decision,
    matched,
    canLike,
    mayMessage,
  }
}

/** In the order of `ids`, without people the searcher may not see. */
export async function profilesOf(
  platform: Looking,
  searcher: Searcher | undefined,
  ids: readonly string[],
): Promise<Profile[]> {
  if (!searcher || ids.length === 0) return []
  const { viewerId, me, today } = searcher
  const needsMatch = platform.config.chatPolicy === 'matches'
  const [rows, ranking] = await Promise.all([
    findCards(platform.pool, { viewerId, me, today, ids, needsMatch, shown: shownStates(platform) }),
    rankingOf(platform),
  ])
  const told = await toldAmong(platform, searcher, rows)
  const profiles = new Map(rows.map((row) => [row.id, profileOf(platform, searcher, ranking, told, row)]))
  return ids.flatMap((id) => profiles.get(id) ?? [])
}

export function cardsOf(
  platform: Looking,
  searcher: Searcher | undefined,
  ids: readonly string[],
): Promise<ProfileCard[]> {
  return profilesOf(platform, searcher, ids)
}

/** A person's profile as the viewer may see it; undefined for blocked, hidden and missing people alike. */
export async function findProfile(platform: Looking, viewerId: string, userId: string): Promise<Profile | undefined> {
  if (!isUuid(userId)) return undefined
  return (await profilesOf(platform, await searcherOf(platform, viewerId), [userId]))[0]
}

export async function getProfile(platform: Looking, viewerId: string, userId: string): Promise<Profile> {
  const profile = await findProfile(platform, viewerId, userId)
  if (!profile) throw notFound()
  return profile
}
