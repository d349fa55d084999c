import type { Deck } from '@duet/contract/discovery.ts'
import type { Decision, Profile } from '@duet/contract/profiles.ts'
import type { QueryClient } from '@tanstack/react-query'

/** The deck as the page holds it; `more` says that the server may know further people. */
export type DeckInMemory = Deck & { more: boolean }

/** Where the deck stands in the cache. */
export const deckKey = ['deck'] as const

/** A decision of this visit; `card` is null when it was not made in the deck. */
export interface Made {
  id: string
  decision: Decision
  card: Profile | null
}

/** What was decided in this visit: the newest last, and since when the server knows of it (never: Infinity). */
interface Visit {
  made: Made[]
  known: Map<string, number>
  /** Cards that undo brought back: they stay, whatever a newer deck says. */
  returned: Set<string>
}

const visits = new WeakMap<QueryClient, Visit>()

function visitOf(queryClient: QueryClient): Visit {
  const visit = visits.get(queryClient) ?? { made: [], known: new Map(), returned: new Set() }
  visits.set(queryClient, visit)
  return visit
}

/** Changes the deck in memory; before it was loaded there is nothing to change. */
export function changeDeck(queryClient: QueryClient, change: (deck: DeckInMemory) => DeckInMemory): void {
  queryClient.setQueryData<DeckInMemory>(deckKey, (deck) => deck && change(deck))
}

const without = (cards: readonly Profile[], id: string) => cards.filter((card) => card.id !== id)
const counted = (deck: DeckInMemory, decision: Decision, by: 1 | -1): DeckInMemory => ({
  ...deck,
  undoable: Math.max(0, deck.undoable + by),
  today: decision === 'like' ? { ...deck.today, likes: Math.max(0, deck.today.likes + by) } : deck.today,
})

/** Takes somebody out of the deck at once, and remembers it for undo. */
export function decideInMemory(queryClient: QueryClient, id: string, decision: Decision): Made {
  const visit = visitOf(queryClient)
  const deck = queryClient.getQueryData<DeckInMemory>(deckKey)
  const made = { id, decision, card: deck?.cards.find((card) => card.id === id) ?? null }
  visit.made.push(made)
  visit.known.set(id, Number.POSITIVE_INFINITY)
  visit.returned.delete(id)
  changeDeck(queryClient, (now) => counted({ ...now, cards: without(now.cards, id) }, decision, 1))
  return made
}

/** The server knows of a decision now: decks it makes from here on leave that person out by themselves. */
export function settleDecision(queryClient: QueryClient, made: Made): void {
  visitOf(queryClient).known.set(made.id, Date.now())
}

/** Forgets a decision that cannot be undone, as a like that became a match. */
export function forgetDecision(queryClient: QueryClient, made: Made): void {
  const visit = visitOf(queryClient)
  visit.made = visit.made.filter((other) => other !== made)
}

/** Makes a refused decision undone, as if it had never been; the card comes back unless the person has gone. */
export function rollBack(queryClient: QueryClient, made: Made, gone: boolean): void {
  forgetDecision(queryClient, made)
  const visit = visitOf(queryClient)
  if (!gone) visit.known.delete(made.id)
  changeDeck(queryClient, (deck) => {
    const cards = made.card && !gone ? [made.card, ...without(deck.cards, made.id)] : deck.cards
    return counted({ ...deck, cards }, made.decision, -1)
  })
}

/** Whether a decision about somebody has been made and the server has not answered yet. */
export const isOnItsWay = (queryClient: QueryClient, id: string): boolean =>
  visitOf(queryClient).known.get(id) === Number.POSITIVE_INFINITY

/** Puts a card on top of the deck, where it stays until it is decided on. */
export function putOnTop(queryClient: QueryClient, card: Profile): void {
  const visit = visitOf(queryClient)
  visit.known.delete(card.id)
  visit.returned.add(card.id)
  changeDeck(queryClient, (deck) => ({ ...deck, cards: [card, ...without(deck.cards, card.id)] }))
}

/** Brings the newest decision of this visit back at once; undefined when none is remembered. */
export function undoInMemory(queryClient: QueryClient): Made | undefined {
  const visit = visitOf(queryClient)
  const made = visit.made.pop()
  if (!made) return undefined
  visit.known.delete(made.id)
  if (made.card) putOnTop(queryClient, made.card)
  changeDeck(queryClient, (deck) => counted(deck, made.decision, -1))
  return made
}

/** Takes an undo back that the server refused. */
export function redoInMemory(queryClient: QueryClient, made: Made): void {
  decideInMemory(queryClient, made.id, made.decision)
  settleDecision(queryClient, made)
}

/** Takes a card out of the deck without a decision, as when the person has gone. */
export function dropCard(queryClient: QueryClient, id: string): void {
  visitOf(queryClient).returned.delete(id)
  changeDeck(queryClient, (deck) => ({ ...deck, cards: without(deck.cards, id) }))
}

/**
 * A newer deck, asked for at `since`, put together with the one in memory: who is in sight stays where they are, and
 * nobody shows again on whom a decision was still on its way.
 */
export function mergeDeck(queryClient: QueryClient, fresh: Deck, full: number, since: number): DeckInMemory {
  const { known, returned } = visitOf(queryClient)
  const before = queryClient.getQueryData<DeckInMemory>(deckKey)
  const offered = fresh.cards.filter(({ id }) => (known.get(id) ?? 0) < since)
  const byId = new Map(offered.map((card) => [card.id, card]))
  const staying = (before?.cards ?? []).flatMap((card) => byId.get(card.id) ?? (returned.has(card.id) ? card : []))
  const cards = [...new Map([...staying, ...offered].map((card) => [card.id, card])).values()]
  const waiting = [...known.values()].includes(Number.POSITIVE_INFINITY)
  const counts = waiting && before ? { today: before.today, undoable: before.undoable } : {}
  return { ...fresh, ...counts, cards, more: fresh.cards.length >= full }
}
