import { by } from '@duet/contract/order.ts'
import { drawBelow, type Random, shuffle } from '../../platform/random.ts'
import { matchingConstants as constants } from './constants.ts'

export type SlotKind = 'regular' | 'explore' | 'received'

/** Each person is listed once, with one kind. */
export interface Contender {
  id: string
  rank: number
  kind: SlotKind
  /** The first reason on their card, used to avoid too many equal ones in a row. */
  topReason?: string | null | undefined
  /** Whether this is a newcomer with fewer than `newcomerImpressions` impressions. */
  isOwed?: boolean | undefined
}

export interface Slot {
  id: string
  kind: SlotKind
  /**
   * The probability that this person got this slot, given the previous slots: that of the slot's kind, times that of
   * the person within the kind.
   */
  propensity: number
}

const byRank = by<Pick<Contender, 'rank' | 'id'>>(
  ({ rank }) => -rank,
  ({ id }) => id,
)

/**
 * Shuffles the kinds of a block's slots, so that a card's position doesn't reveal its kind. Slots that people by rank
 * can't fill go to exploration, then to people who like the viewer.
 */
function drawKinds(random: Random, left: Record<SlotKind, number>, size: number): SlotKind[] {
  const received = Math.min(constants.receivedSlots, left.received, size)
  const explore = Math.min(constants.exploreSlots, left.explore, size - received)
  const regular = Math.min(left.regular, size - received - explore)
  const unfilled = size - received - explore - regular
  const exploreToo = Math.min(unfilled, left.explore - explore)
  const counts = { received: received + unfilled - exploreToo, explore: explore + exploreToo, regular }
  const kinds = Object.entries(counts).flatMap(([kind, count]) => Array<SlotKind>(count).fill(kind as SlotKind))
  return shuffle(random, kinds)
}

/** With probability `newcomerShare`, draws a newcomer who still needs impressions. */
function explore(random: Random, owed: Contender[], others: Contender[]): Slot {
  const share = owed.length === 0 ? 0 : others.length === 0 ? 1 : constants.newcomerShare
  const isOwed = random() < share
  const pool = isOwed ? owed : others
  const propensity = (isOwed ? share : 1 - share) / pool.length
  const [drawn] = pool.splice(drawBelow(random, pool.length), 1)
  return { id: drawn!.id, kind: 'explore', propensity }
}

const lookAhead = 20

/** Removes and returns the best of `list`, skipping a first reason that was on too many cards in a row. */
function takeBest(list: Contender[], lately: readonly (string | null)[]): Slot {
  const [worn] = lately
  const isWorn = worn != null && lately.length >= constants.sameReasonInRow && lately.every((one) => one === worn)
  const place = isWorn ? list.slice(0, lookAhead).findIndex(({ topReason }) => topReason !== worn) : 0
  const [best] = list.splice(Math.max(0, place), 1)
  return { id: best!.id, kind: best!.kind, propensity: 1 }
}

/**
 * Builds a deck in blocks of ten: one exploration slot, up to three people who like the viewer, and the best by rank.
 * If only people who like the viewer are left, they fill the deck. Deterministic for the same contenders and seed.
 */
export function composeDeck(
  contenders: readonly Contender[],
  random: Random,
  size: number = constants.deckSize,
): Slot[] {
  const of = (kind: SlotKind) => contenders.filter((one) => one.kind === kind).sort(byRank)
  const regular = of('regular')
  const received = of('received')
  const pool = of('explore')
  const owed = pool.filter(({ isOwed }) => isOwed)
  const others = pool.filter(({ isOwed }) => !isOwed)
  const reasonOf = new Map(contenders.map(({ id, topReason }) => [id, topReason ?? null]))
  const slots: Slot[] = []
  const lately = () => slots.slice(-constants.sameReasonInRow).map(({ id }) => reasonOf.get(id) ?? null)
  const fill: Record<SlotKind, () => Slot> = {
    regular: () => takeBest(regular, lately()),
    received: () => takeBest(received, lately()),
    explore: () => explore(random, owed, others),
  }
  const most = Math.min(size, contenders.length)
  while (slots.length < most) {
    const left = { regular: regular.length, received: received.length, explore: owed.length + others.length }
    const kinds = drawKinds(random, left, Math.min(constants.blockSize, most - slots.length))
    for (const [place, kind] of kinds.entries()) {
      const still = kinds.slice(place)
      const slot = fill[kind]()
      slots.push({ ...slot, propensity: (slot.propensity * still.filter((one) => one === kind).length) / still.length })
    }
  }
  return slots
}

interface Ranked {
  id: string
  rank: number
  likesViewer: boolean
  isNew: boolean
  impressions: number
}

/**
 * Divides scored candidates into kinds: people who like the viewer; the best by rank, as many as a deck holds; and
 * people below them, for exploration. Calls `topReasonOf` only for people whose rank may bring them into the deck.
 */
export function contendersOf<One extends Ranked>(
  candidates: readonly One[],
  topReasonOf: (one: One) => string | null = () => null,
  size: number = constants.deckSize,
): Contender[] {
  const ranked = candidates.toSorted(byRank)
  let regular = 0
  return ranked.map((one): Contender => {
    const { id, rank } = one
    if (one.likesViewer) return { id, rank, kind: 'received', topReason: topReasonOf(one) }
    if (regular++ < size) return { id, rank, kind: 'regular', topReason: topReasonOf(one) }
    const isOwed = one.isNew && one.impressions < constants.newcomerImpressions
    return { id, rank, kind: 'explore', isOwed }
  })
}
