export { type DeckInMemory, deckKey, mergeDeck } from './deck-memory.ts'
export { useDecide, useTakeBack, useUndo } from './likes.api.ts'
