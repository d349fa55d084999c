import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { conversationsKey } from '../../cache/keys.ts'
import { whenPersonChanges } from '../../platform/session.ts'
import type { Selection } from './chat/context.ts'
import { type Conversation, select } from './chat/conversation-list.ts'

// How each page begins, no matter who is signed in.
const nothingSelected: Selection = { selectedId: null, newFromSeq: undefined, announced: null }
export const useSelection = create<Selection>()(() => nothingSelected)
whenPersonChanges(() => useSelection.setState(nothingSelected))

/** The conversations that are in memory. */
export const knownConversations = (queryClient: QueryClient): readonly Conversation[] =>
  queryClient.getQueryData<Conversation[]>(conversationsKey) ?? []

/** Changes the conversations in memory; before any were loaded there is nothing to change. */
export function changeConversations(
  queryClient: QueryClient,
  change: (list: readonly Conversation[]) => Conversation[],
): void {
  queryClient.setQueryData<Conversation[]>(
    conversationsKey,
    (list) => list && select(change(list), useSelection.getState().selectedId),
  )
}
