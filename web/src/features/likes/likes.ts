import { lazily } from '../../ui/lazily.tsx'

export { type Admirers, useAdmirers } from './admirers.ts'
export { type DeckInMemory, mergeDeck } from './deck-memory.ts'
export { sendKeptDecisions } from './keep-decision.ts'
export { useDecide, useTakeBack, useUndo } from './likes.api.ts'

/** Loaded separately, because the deck doesn't need it. */
export const TheirLike = lazily(async () => ({ default: (await import('./their-like.tsx')).TheirLike }))
