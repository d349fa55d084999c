import { useQueryClient } from '@tanstack/react-query'
import { type DeckInMemory, deckKey } from '../likes/likes.ts'

/** Gives a function that takes somebody off the deck who was blocked. */
export function useLeaveDeck(id: string): () => void {
  const queryClient = useQueryClient()
  return () =>
    queryClient.setQueryData<DeckInMemory>(
      deckKey,
      (deck) => deck && { ...deck, cards: deck.cards.filter((card) => card.id !== id) },
    )
}
