import type { Place } from '@duet/contract/places.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nearbyKey, profilesKey } from '../../cache/keys.ts'
import { type CallRequest, call } from '../../platform/call.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'

export type Where = CallRequest<'PATCH /api/user/updateLocation'>['body']

export function useLocationChange() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Where) => call('PATCH /api/user/updateLocation', { body }),
    onSuccess: () => {
      for (const queryKey of [ownDetailsKey, nearbyKey, profilesKey]) void queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** Requests are debounced by 200 ms. */
export function usePlaces(text: string): { places: Place[]; asked: boolean; failed: boolean } {
  const [query, setQuery] = useState('')
  useEffect(() => {
    const wait = setTimeout(() => setQuery(text.trim()), 200)
    return () => clearTimeout(wait)
  }, [text])
  const isLong = query.length > 1
  const { data, isSuccess, isError } = useQuery({
    queryKey: ['places', query],
    enabled: isLong,
    queryFn: ({ signal }) => call('GET /api/places', { query: { query, limit: 6 }, signal }),
  })
  return { places: isLong ? (data?.places ?? []) : [], asked: isLong && isSuccess, failed: isLong && isError }
}
