import type { Deck, DeckCounts } from '@duet/contract/discovery.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import type { QueryClient } from '@tanstack/react-query'
import { deckKey, profileKey } from '../../cache/keys.ts'
import { decidedHere } from './kept-decisions.ts'

/** The deck in memory. `more` is true if the server may have more people. */
export type DeckInMemory = Deck & { more: boolean }

export interface Made {
  id: string
  decision: Decision
  /** Null if the decision wasn't made in the deck during this visit. */
  card: Profile | null
  /** My previous decision about this person; undefined if their profile wasn't loaded. */
  former: Decision | null | undefined
  sending: boolean
  /** Undone on this page, but not yet confirmed by the server. */
  undone: boolean
  /** True if no response came, so the server may or may not have stored the decision. */
  unsure: boolean
}

interface Visit {
  made: Made[]
  /** The id of the person whose decision, made during an earlier visit, is the next to undo. */
  older: string | null
  /** By person id: when the server last confirmed a decision or reported that the person is gone, in ms since 1970. */
  known: Map<string, number>
  /** Ids of people whose card undo restored. Their cards stay even if a newer deck doesn't contain them. */
  returned: Set<string>
  /**
   * When the server last confirmed a decision or an undo, in ms since 1970. The counts in decks requested before then
   * are outdated.
   */
  answeredAt: number
}

const visits = new WeakMap<QueryClient, Visit>()

const newVisit = (): Visit => ({ made: [], older: null, known: new Map(), returned: new Set(), answeredAt: 0 })

function visitOf(queryClient: QueryClient): Visit {
  const visit = visits.get(queryClient) ?? newVisit()
  visits.set(queryClient, visit)
  return visit
}

const standingDecisions = ({ made }: Visit) => made.filter(({ undone }) => !undone)
const nextOf = (visit: Visit) => standingDecisions(visit).at(-1)?.id ?? visit.older

function changeDeck(queryClient: QueryClient, change: (deck: DeckInMemory) => DeckInMemory): void {
  const undoNext = nextOf(visitOf(queryClient))
  queryClient.setQueryData<DeckInMemory>(deckKey, (deck) => deck && { ...change(deck), undoNext })
}

export const changeProfile = (queryClient: QueryClient, id: string, change: Partial<Profile>) =>
  queryClient.setQueryData<Profile>(profileKey(id), (profile) => profile && { ...profile, ...change })

const without = (cards: readonly Profile[], id: string) => cards.filter((card) => card.id !== id)
const onTop = (deck: DeckInMemory, card: Profile): DeckInMemory => ({
  ...deck,
  cards: [card, ...without(deck.cards, card.id)],
})
const counted = (deck: DeckInMemory, decision: Decision, by: 1 | -1): DeckInMemory => ({
  ...deck,
  undoable: Math.max(0, deck.undoable + by),
  today: decision === 'like' ? { ...deck.today, likes: Math.max(0, deck.today.likes + by) } : deck.today,
})

export function decideInMemory(queryClient: QueryClient, id: string, decision: Decision): Made {
  const visit = visitOf(queryClient)
  const card = queryClient.getQueryData<DeckInMemory>(deckKey)?.cards.find((card) => card.id === id) ?? null
  const former = queryClient.getQueryData<Profile>(profileKey(id))?.myDecision
  const made = { id, decision, card, former, sending: true, undone: false, unsure: false }
  // Only one decision per person exists, so this one replaces any that the server has stored.
  visit.made = [...visit.made.filter((other) => other.id !== id || other.sending || other.undone), made]
  if (visit.older === id) visit.older = null
  visit.returned.delete(id)
  changeProfile(queryClient, id, { myDecision: decision })
  changeDeck(queryClient, (deck) => counted({ ...deck, cards: without(deck.cards, id) }, decision, 1))
  return made
}

const newerThan = (visit: Visit, made: Made) =>
  standingDecisions(visit).find((other) => other.id === made.id && visit.made.indexOf(other) > visit.made.indexOf(made))

export function settleDecision(queryClient: QueryClient, made: Made): void {
  const visit = visitOf(queryClient)
  made.sending = false
  visit.answeredAt = Date.now()
  if (made.undone) return
  visit.known.set(made.id, visit.answeredAt)
  if (newerThan(visit, made)) forgetDecision(queryClient, made)
}

export function forgetDecision(queryClient: QueryClient, made: Made): void {
  const visit = visitOf(queryClient)
  visit.made = visit.made.filter((other) => other !== made)
  changeDeck(queryClient, (deck) => deck)
}

/** Call when the server has undone the decision about a person. A decision made in the meantime stays. */
export function settleUndo(queryClient: QueryClient, id: string): void {
  const visit = visitOf(queryClient)
  visit.answeredAt = Date.now()
  visit.made = visit.made.filter((made) => made.id !== id || (made.sending && !made.undone))
  if (visit.older === id) visit.older = null
  changeDeck(queryClient, (deck) => deck)
}

/** Whether the server may have a decision to undo. It has none after a refusal, and a match can't be undone. */
export const mayBeUndone = (queryClient: QueryClient, made: Made): boolean =>
  made.unsure || visitOf(queryClient).made.includes(made)

export type Failure = 'refused' | 'gone' | 'unsure'

/** The card returns to the deck unless the person is gone. */
export function rollBack(queryClient: QueryClient, made: Made, failure: Failure): void {
  const visit = visitOf(queryClient)
  made.sending = false
  made.unsure = failure === 'unsure'
  const gone = failure === 'gone'
  const newer = newerThan(visit, made)
  forgetDecision(queryClient, made)
  if (gone) visit.known.set(made.id, Date.now())
  if (newer) {
    newer.former = made.former
    newer.card ??= made.card
  } else if (made.former !== undefined) changeProfile(queryClient, made.id, { myDecision: made.former })
  if (gone || (made.undone && !made.unsure)) visit.returned.delete(made.id)
  changeDeck(queryClient, (deck) => {
    const back = made.undone ? deck : counted(deck, made.decision, -1)
    if (gone) return { ...back, cards: without(back.cards, made.id) }
    return made.card && !made.undone && !newer ? onTop(back, made.card) : back
  })
}

export const onItsWay = (queryClient: QueryClient, id: string): Made | undefined =>
  standingDecisions(visitOf(queryClient)).findLast((made) => made.id === id && made.sending)

export function putOnTop(queryClient: QueryClient, card: Profile): void {
  const visit = visitOf(queryClient)
  visit.known.delete(card.id)
  visit.returned.add(card.id)
  changeDeck(queryClient, (deck) => onTop(deck, card))
}

/** Undefined if there is no decision to undo or it isn't known yet. */
export function latestDecision(queryClient: QueryClient): Made | undefined {
  const visit = visitOf(queryClient)
  const { older: id } = visit
  const made = standingDecisions(visit).at(-1)
  if (made || id === null) return made
  return { id, decision: 'pass', card: null, former: undefined, sending: false, undone: false, unsure: false }
}

export function undoInMemory(queryClient: QueryClient, made: Made): void {
  const visit = visitOf(queryClient)
  if (!visit.made.includes(made)) {
    visit.made.unshift(made)
    visit.older = null
  }
  made.undone = true
  visit.known.delete(made.id)
  if (made.card) putOnTop(queryClient, made.card)
  changeDeck(queryClient, (deck) => counted(deck, made.decision, -1))
}

export function redoInMemory(queryClient: QueryClient, made: Made): void {
  made.undone = false
  visitOf(queryClient).returned.delete(made.id)
  changeDeck(queryClient, (deck) => counted({ ...deck, cards: without(deck.cards, made.id) }, made.decision, 1))
}

export function dropCard(queryClient: QueryClient, id: string): void {
  visitOf(queryClient).returned.delete(id)
  changeDeck(queryClient, (deck) => ({ ...deck, cards: without(deck.cards, id) }))
}

/** Another device may have decided since, or the time limit for undo may have passed, so the server's view wins. */
function follow(visit: Visit, undoNext: string | null): void {
  const place = visit.made.findLastIndex(({ id }) => id === undoNext)
  visit.made = visit.made.filter(({ sending, undone }, index) => index <= place || sending || undone)
  if (place < 0) visit.older = undoNext
}

/** The server can't undo the decision that this page expected. The next deck contains the one that can be undone. */
export function forgetUndoable(queryClient: QueryClient): void {
  follow(visitOf(queryClient), null)
  changeDeck(queryClient, (deck) => deck)
}

export function keepCounts(queryClient: QueryClient, { today, undoable, undoNext }: DeckCounts): void {
  follow(visitOf(queryClient), undoNext)
  changeDeck(queryClient, (deck) => ({ ...deck, today, undoable }))
}

/**
 * Merges a newer deck, requested at `since` (ms since 1970), into the one in memory. Visible cards keep their position,
 * and people with a pending decision don't return.
 */
export function mergeDeck(queryClient: QueryClient, fresh: Deck, full: number, since: number): DeckInMemory {
  const visit = visitOf(queryClient)
  const { known, returned } = visit
  const before = queryClient.getQueryData<DeckInMemory>(deckKey)
  const kept = decidedHere()
  const isDecided = (id: string) => Boolean(onItsWay(queryClient, id)) || kept.has(id) || (known.get(id) ?? 0) >= since
  const offered = fresh.cards.filter(({ id }) => !isDecided(id))
  const byId = new Map(offered.map((card) => [card.id, card]))
  const staying = (before?.cards ?? []).flatMap((card) => byId.get(card.id) ?? (returned.has(card.id) ? card : []))
  const cards = [...new Map([...staying, ...offered].map((card) => [card.id, card])).values()]
  const old = visit.answeredAt >= since || visit.made.some(({ sending, undone }) => sending || undone)
  if (!old || !before) follow(visit, fresh.undoNext)
  const counts = old && before ? { today: before.today, undoable: before.undoable } : {}
  return { ...fresh, ...counts, undoNext: nextOf(visit), cards, more: fresh.cards.length >= full }
}
