import type { Pool } from '@duet/contract/discovery.ts'
import { limits } from '@duet/contract/limits.ts'
import type { MyDetails, ProfileChanges } from '@duet/contract/profiles.ts'
import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { deckKey, poolKey } from '../../cache/keys.ts'
import { type CallRequest, call } from '../../platform/call.ts'
import { type DeckInMemory, mergeDeck } from '../likes/likes.ts'
import { filtersOf } from './filters/filters.ts'

// How often an empty deck is refetched, in milliseconds.
const whileEmpty = 15_000
const mayFill = ({ cards, state }: DeckInMemory) =>
  cards.length === 0 && (state === 'nobody_fits' || state === 'seen_all')

/** The deck in memory. Decisions remove cards from it, and more are fetched when few are left. */
export function useDeck() {
  return useQuery<DeckInMemory>({
    queryKey: deckKey,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => (data && mayFill(data) ? whileEmpty : false),
    queryFn: async ({ client, signal }) => {
      const since = Date.now()
      const fresh = await call('GET /api/deck', { query: { limit: limits.deckPage }, signal })
      return mergeDeck(client, fresh, limits.deckPage, since)
    },
  })
}

/** Returns the cached deck without sending a request. */
export const useDeckInMemory = () => useQuery<DeckInMemory>({ queryKey: deckKey, queryFn: skipToken }).data

/** Refetches the deck and the count of matching people when my filters, location, pause or gender change. */
export function useFreshDeck(details: MyDetails | undefined): void {
  const queryClient = useQueryClient()
  const last = useRef<string>(undefined)
  const now = details && JSON.stringify([filtersOf(details), details.area, details.paused, details.gender])
  useEffect(() => {
    if (last.current !== undefined && now !== undefined && last.current !== now)
      for (const queryKey of [deckKey, poolKey]) void queryClient.invalidateQueries({ queryKey })
    last.current = now ?? last.current
  }, [now, queryClient])
}

type PoolChanges = CallRequest<'POST /api/pool'>['body'] & Partial<ProfileChanges>

/** Returns the previous estimate while the next one loads. */
export function usePool(changes: PoolChanges = {}, enabled = true) {
  return useQuery<Pool>({
    queryKey: [...poolKey, changes],
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.both === 0 ? whileEmpty : false),
    queryFn: ({ signal }) => call('POST /api/pool', { body: changes, signal }),
  })
}
