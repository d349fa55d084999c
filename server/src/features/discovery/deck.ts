import type { Deck } from '@duet/contract/discovery.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { after, days, minutes, seconds } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { seededRandom } from '../../platform/random.ts'
import { poolOf, searchCandidates, stillCandidates } from '../candidates/candidates.ts'
import { deckCounts } from '../likes/likes.ts'
import { likersOf } from '../likes/lists.ts'
import { matchingConstants as constants } from '../matching/constants.ts'
import { composeDeck, contendersOf } from '../matching/deck.ts'
import { type Ranking, rankingOf } from '../matching/ranking.ts'
import { reasonsFor } from '../matching/reasons.ts'
import { bestOf, refine, scoreAll } from '../matching/score.ts'
import type { Candidate } from '../matching/traits.ts'
import { profilesOf } from '../profiles/profiles.ts'
import { answersOf, recentAnswersOf } from '../questions/questions.ts'
import {
  addImpressions,
  type DeckSlot,
  findAtMatchLimit,
  findDeck,
  findPassers,
  findViewerState,
  type KeptDeck,
  putDeck,
} from './discovery.queries.ts'

/** A deck is made anew after so long; when it runs out, not more often than every few seconds. */
const deckAge = { most: minutes(30), least: seconds(10) }

/** A candidate with their rank, and what decides which kind of slot they may have. */
interface Placed extends Pick<Candidate, 'id' | 'likesViewer' | 'isNew' | 'impressions'> {
  rank: number
  candidate: Candidate
}

function placed(candidate: Candidate, rank: number): Placed {
  const { id, likesViewer, isNew, impressions } = candidate
  return { id, likesViewer, isNew, impressions, rank, candidate }
}

interface Ranked {
  /** With their answers. */
  self: Candidate
  candidates: Candidate[]
  passers: ReadonlySet<string>
  /** Of those who like the viewer. */
  busy: ReadonlySet<string>
}

/** The candidates with their rank, best first: all by what is cheap to know, the best again with their answers. */
async function rankAll(platform: Platform, { self: viewer, candidates, passers, busy }: Ranked, ranking: Ranking) {
  if (candidates.length === 0) return []
  const { model } = ranking
  for (const one of candidates) {
    one.passedViewer = passers.has(one.id)
    one.isBusy = busy.has(one.id)
  }
  const scores = scoreAll(model, viewer, candidates, ranking)
  const ranks = new Map(candidates.map(({ id }, place) => [id, scores.rank[place] ?? 0]))
  const order = bestOf(candidates, scores, candidates.length)
  const best = order.slice(0, constants.refinedCandidates)
  const ids = best.map(({ id }) => id)
  const sheets = await recentAnswersOf(platform.pool, ids)
  if (viewer.sheet) sheets.set(viewer.id, viewer.sheet)
  const refined = refine(model, viewer, best, ranking, sheets).map(({ candidate, rank }) => placed(candidate, rank))
  const rest = order.slice(constants.refinedCandidates).map((one) => placed(one, ranks.get(one.id) ?? 0))
  return [...refined, ...rest]
}

/** Those of `ids` who will hardly answer: they have had their matches of the day. */
function busyAmong({ pool, clock }: Platform, ids: readonly string[]): Promise<Set<string>> {
  return findAtMatchLimit(pool, ids, after(clock.now(), -days(1)), constants.answeredADay)
}

/** Finds, ranks and lays out a deck. Undefined without a place. */
export async function buildDeck(platform: Platform, viewerId: string): Promise<KeptDeck | undefined> {
  const builtAt = platform.clock.now()
  const likers = likersOf(platform, viewerId)
  const [found, ranking, passers, answers, busy] = await Promise.all([
    searchCandidates(platform, viewerId, likers),
    rankingOf(platform),
    findPassers(platform.pool, viewerId),
    answersOf(platform.pool, [viewerId]),
    // A match is made when a like is answered: no one else's day matters yet.
    likers.then((ids) => busyAmong(platform, ids)),
  ])
  if (!found) return undefined
  const { model, rarity, languageRarity } = ranking
  const viewer = { ...found.self, sheet: answers.get(viewerId) }
  const ranked = await rankAll(platform, { self: viewer, candidates: found.candidates, passers, busy }, ranking)
  const random = seededRandom(platform.secrets.hmac('deck', viewerId, builtAt.toISOString()).readUInt32BE(0))
  const reasons = (one: Candidate, slotKind: DeckSlot['kind']) => {
    const { distanceKm, isNew } = one
    const circumstances = { rarity, languageRarity, distanceKm, active: one.daysInactive === 0, isNew, slotKind }
    return reasonsFor(model, viewer, one, circumstances)
  }
  const contenders = contendersOf(ranked, ({ candidate }) => reasons(candidate, 'regular')[0]?.kind ?? null)
  const slots = composeDeck(contenders, random)
  const people = new Map(ranked.map(({ id, candidate }) => [id, candidate]))
  const deck = {
    slots: slots.map((slot) => {
      const one = people.get(slot.id) as Candidate
      return { ...slot, distanceKm: one.distanceKm, why: reasons(one, slot.kind) }
    }),
    modelVersion: model.version,
    builtAt,
  }
  await putDeck(platform.pool, viewerId, deck)
  return deck
}

/** What of a deck can still be shown. */
async function remaining(platform: Platform, viewerId: string, deck: KeptDeck | undefined): Promise<DeckSlot[]> {
  if (!deck) return []
  const left = await stillCandidates(
    platform,
    viewerId,
    deck.slots.map(({ id }) => id),
  )
  return deck.slots.filter(({ id }) => left.has(id))
}

async function currentDeck(platform: Platform, viewerId: string, wanted: number) {
  const kept = await findDeck(platform.db, viewerId)
  const age = kept ? platform.clock.now().getTime() - kept.builtAt.getTime() : Number.POSITIVE_INFINITY
  const slots = age < deckAge.most ? await remaining(platform, viewerId, kept) : []
  const runsOut = slots.length < wanted && age >= (slots.length > 0 ? deckAge.least : 0)
  if (kept && !runsOut) return { deck: kept, slots }
  const deck = await buildDeck(platform, viewerId)
  // The search may have missed what was decided elsewhere a moment ago.
  return { deck, slots: await remaining(platform, viewerId, deck) }
}

async function cardsFor(platform: Platform, viewerId: string, slots: readonly DeckSlot[]): Promise<Profile[]> {
  const why = new Map(slots.map((slot) => [slot.id, slot.kind === 'explore' ? slot.why : undefined]))
  const cards = await profilesOf(
    platform,
    viewerId,
    slots.map(({ id }) => id),
  )
  return cards.filter(({ canLike }) => canLike).map((card) => withReasons(card, why.get(card.id)))
}

/** A card of the exploring slot says so first. */
function withReasons(card: Profile, why: DeckSlot['why']): Profile {
  const [first] = why ?? []
  if (first?.kind !== 'outside_your_usual') return card
  return {
    ...card,
    why: [first, ...card.why].slice(0, constants.reasonsMost),
    reasons: ['A little outside your usual', ...card.reasons].slice(0, constants.reasonsMost),
  }
}

async function emptyState(platform: Platform, viewerId: string): Promise<Deck['state']> {
  const viewer = await findViewerState(platform.db, viewerId)
  if (!viewer?.located) return 'no_place'
  if (viewer.paused) return 'paused'
  return (await poolOf(platform, viewerId, {})).both === 0 ? 'nobody_fits' : 'seen_all'
}

/**
 * The next cards of the viewer's deck, best first, each of them likable for the viewer; the same
 * until they are decided on. Says why when there are none.
 */
export function getDeck(platform: Platform, viewerId: string, limit: number): Promise<Deck> {
  return platform.inOrder(`deck:${viewerId}`, async () => {
    const { deck, slots } = await currentDeck(platform, viewerId, limit)
    const page = slots.slice(0, limit)
    const cards = await cardsFor(platform, viewerId, page)
    const shown = new Set(cards.map(({ id }) => id))
    if (deck && cards.length > 0) await noteShown(platform, viewerId, deck, shown)
    const counts = await deckCounts(platform, viewerId)
    const { today } = counts
    const isSpent = today.limit !== null && today.likes >= today.limit
    const state = cards.length === 0 ? await emptyState(platform, viewerId) : isSpent ? 'limit_reached' : 'ready'
    return { cards, state, ...counts }
  })
}

function noteShown(platform: Platform, viewerId: string, deck: KeptDeck, shown: ReadonlySet<string>): Promise<void> {
  const impressions = deck.slots.flatMap(({ id, kind, propensity, distanceKm }, slot) =>
    shown.has(id) ? [{ targetId: id, slot, kind, propensity, distanceKm }] : [],
  )
  return addImpressions(platform.db, viewerId, deck, impressions, platform.clock.now())
}
