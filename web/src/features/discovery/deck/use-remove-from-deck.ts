import { useQueryClient } from '@tanstack/react-query'
import { deckKey } from '../../../cache/keys.ts'
import type { DeckInMemory } from '../../likes/likes.ts'

export function useRemoveFromDeck(id: string): () => void {
  const queryClient = useQueryClient()
  return () =>
    queryClient.setQueryData<DeckInMemory>(
      deckKey,
      (deck) => deck && { ...deck, cards: deck.cards.filter((card) => card.id !== id) },
    )
}
