import { type Mutation, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState, useSyncExternalStore } from 'react'

export interface Trials<Data, Change> {
  queryKey: QueryKey
  apply: (data: Data, change: Change) => Data
}

/** The key of mutations that change this query. Their variables are the changes. */
export const trialKey = (queryKey: QueryKey) => ['trial', ...queryKey]

/**
 * All pending mutations, or those with this key. TanStack Query's own hooks for this would add to the size of every
 * first visit.
 */
export function usePending(mutationKey?: QueryKey): Mutation[] {
  const cache = useQueryClient().getMutationCache()
  const [held] = useState<{ now: Mutation[] }>(() => ({ now: [] }))
  const read = () => {
    const now = cache.findAll({ ...(mutationKey && { mutationKey }), status: 'pending' })
    if (String(now.map(({ mutationId }) => mutationId)) !== String(held.now.map(({ mutationId }) => mutationId)))
      held.now = now
    return held.now
  }
  return useSyncExternalStore((changed) => cache.subscribe(changed), read)
}

/**
 * Returns the server's data, `said`, with the pending changes applied. The cache contains only the server's data, so if
 * a change is refused, only that change is reverted.
 */
export function useTried<Data, Change>(
  { queryKey, apply }: Trials<Data, Change>,
  said: Data | undefined,
): Data | undefined {
  const pending = usePending(trialKey(queryKey))
  return useMemo(() => {
    if (said === undefined) return said
    return pending.reduce<Data>((now, { state }) => apply(now, state.variables as Change), said)
  }, [said, pending, apply])
}
