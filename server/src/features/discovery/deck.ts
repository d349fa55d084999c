import type { Deck } from '@duet/contract/discovery.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { after, days, minutes, seconds } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { seededRandom } from '../../platform/random.ts'
import { getSearcher, poolOf, type Searcher, searchCandidates } from '../candidates/candidates.ts'
import { deckCounts } from '../likes/day.ts'
import { likersOf } from '../likes/lists.ts'
import { matchingConstants as constants } from '../matching/constants.ts'
import { composeDeck, contendersOf } from '../matching/deck.ts'
import { type Ranking, rankingOf } from '../matching/ranking.ts'
import { reasonsFor } from '../matching/reasons.ts'
import { bestOf, refine, scoreAll } from '../matching/score.ts'
import type { Candidate } from '../matching/traits.ts'
import { profilesOf } from '../profiles/cards.ts'
import { recentAnswersOf } from '../questions/questions.ts'
import {
  addImpressions,
  type DeckSlot,
  findAtMatchLimit,
  findOpenDeck,
  findPassers,
  type KeptDeck,
  type OpenDeck,
  type OpenSlot,
  putDeck,
} from './discovery.queries.ts'

/** The age at which a deck is rebuilt, and the minimum age for rebuilding one that has run out of cards. */
const deckAge = { most: minutes(30), least: seconds(10) }

/** A candidate with their rank, and the facts that decide which kinds of slots they can get. */
interface Placed extends Pick<Candidate, 'id' | 'likesViewer' | 'isNew' | 'impressions'> {
  rank: number
  candidate: Candidate
}

function placed(candidate: Candidate, rank: number): Placed {
  const { id, likesViewer, isNew, impressions } = candidate
  return { id, likesViewer, isNew, impressions, rank, candidate }
}

interface Ranked {
  self: Candidate
  candidates: Candidate[]
  passers: ReadonlySet<string>
  /** Only includes people who like the viewer. */
  busy: ReadonlySet<string>
}

/**
 * Ranks the candidates, best first. Ranks all of them without answers to questions, which are expensive to read, then
 * ranks the best again with answers.
 */
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

/** The people among `ids` who have reached the daily number of matches and are unlikely to answer. */
function busyAmong({ pool, clock }: Platform, ids: readonly string[]): Promise<Set<string>> {
  return findAtMatchLimit(pool, ids, after(clock.now(), -days(1)), constants.answeredADay)
}

/** Searches, ranks and stores a deck. Undefined without a location. */
export async function buildDeck(platform: Platform, searcher: Searcher): Promise<KeptDeck | undefined> {
  const { viewerId, self: viewer } = searcher
  const builtAt = platform.clock.now()
  const likers = likersOf(platform, viewerId)
  const [candidates, ranking, passers, busy] = await Promise.all([
    searchCandidates(platform, searcher, likers),
    rankingOf(platform),
    findPassers(platform.pool, viewerId),
    // Only people who like the viewer can become a match now, so only they are checked.
    likers.then((ids) => busyAmong(platform, ids)),
  ])
  if (!candidates) return undefined
  const { model, rarity, languageRarity } = ranking
  const ranked = await rankAll(platform, { self: viewer, candidates, passers, busy }, ranking)
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

/** The start of the UTC day, by which shown cards are counted. */
const dayOf = (now: Date) => new Date(Math.floor(now.getTime() / days(1)) * days(1))

async function currentDeck(platform: Platform, searcher: Searcher, wanted: number): Promise<OpenDeck | undefined> {
  if (!searcher.place) return undefined
  const now = platform.clock.now()
  const asked = { day: dayOf(now), most: wanted }
  const kept = await findOpenDeck(platform.pool, searcher, asked)
  const age = kept ? now.getTime() - kept.builtAt.getTime() : Number.POSITIVE_INFINITY
  const left = age < deckAge.most ? (kept?.slots.length ?? 0) : 0
  const runsOut = left < wanted && age >= (left > 0 ? deckAge.least : 0)
  if (kept && !runsOut) return kept
  if (!(await buildDeck(platform, searcher))) return undefined
  // Checked again, because the search may have missed decisions that another process just made.
  return findOpenDeck(platform.pool, searcher, asked)
}

async function cardsFor(platform: Platform, searcher: Searcher, slots: readonly DeckSlot[]): Promise<Profile[]> {
  const why = new Map(slots.map((slot) => [slot.id, slot.kind === 'explore' ? slot.why : undefined]))
  const ids = slots.map(({ id }) => id)
  const cards = await profilesOf(platform, searcher, ids)
  return cards.filter(({ canLike }) => canLike).map((card) => withReasons(card, why.get(card.id)))
}

function withReasons(card: Profile, why: DeckSlot['why']): Profile {
  const [first] = why ?? []
  if (first?.kind !== 'outside_your_usual') return card
  return {
    ...card,
    why: [first, ...card.why].slice(0, constants.reasonsMost),
    reasons: ['A little outside your usual', ...card.reasons].slice(0, constants.reasonsMost),
  }
}

async function emptyState(platform: Platform, searcher: Searcher): Promise<Deck['state']> {
  if (!searcher.place) return 'no_place'
  if (searcher.isPaused) return 'paused'
  return (await poolOf(platform, searcher)).both === 0 ? 'nobody_fits' : 'seen_all'
}

/**
 * The next cards of the viewer's deck, best first. The viewer can like all of them, and they stay the same until
 * decided on. `state` explains an empty deck. Throws not found without a profile.
 */
export function getDeck(platform: Platform, viewerId: string, limit: number): Promise<Deck> {
  return platform.inOrder(`deck:${viewerId}`, async () => {
    const searcher = await getSearcher(platform, viewerId)
    const [deck, counts] = await Promise.all([currentDeck(platform, searcher, limit), deckCounts(platform, searcher)])
    const page = deck?.slots ?? []
    const cards = await cardsFor(platform, searcher, page)
    const shown = new Set(cards.map(({ id }) => id))
    if (deck)
      await noteShown(
        platform,
        viewerId,
        deck,
        page.filter(({ id }) => shown.has(id)),
      )
    const { today } = counts
    const isSpent = today.limit !== null && today.likes >= today.limit
    const state = cards.length === 0 ? await emptyState(platform, searcher) : isSpent ? 'limit_reached' : 'ready'
    return { cards, state, ...counts }
  })
}

async function noteShown(
  platform: Platform,
  viewerId: string,
  deck: OpenDeck,
  shown: readonly OpenSlot[],
): Promise<void> {
  const news = shown.filter(({ noted }) => !noted)
  if (news.length > 0) await addImpressions(platform.pool, viewerId, deck, news, platform.clock.now())
}
