import { useQueryClient } from '@tanstack/react-query'
import type { DeckInMemory } from '../../likes/likes.ts'
import { deckKey } from '../discovery.keys.ts'

/** Gives a function that takes someone off the deck who was blocked. */
export function useLeaveDeck(id: string): () => void {
  const queryClient = useQueryClient()
  return () =>
    queryClient.setQueryData<DeckInMemory>(
      deckKey,
      (deck) => deck && { ...deck, cards: deck.cards.filter((card) => card.id !== id) },
    )
}
