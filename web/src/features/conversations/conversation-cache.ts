import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { conversationsKey } from '../../cache/keys.ts'
import { whenPersonChanges } from '../../platform/session.ts'
import type { Selection } from './chat/context.ts'
import { type Conversation, select } from './chat/conversation-list.ts'

const nothingSelected: Selection = { selectedId: null, newFromSeq: undefined, announced: null }
export const useSelection = create<Selection>()(() => nothingSelected)
whenPersonChanges(() => useSelection.setState(nothingSelected))

export const knownConversations = (queryClient: QueryClient): readonly Conversation[] =>
  queryClient.getQueryData<Conversation[]>(conversationsKey) ?? []

/** Does nothing until the conversations have loaded. */
export function changeConversations(
  queryClient: QueryClient,
  change: (list: readonly Conversation[]) => Conversation[],
): void {
  queryClient.setQueryData<Conversation[]>(
    conversationsKey,
    (list) => list && select(change(list), useSelection.getState().selectedId),
  )
}
