import type { Model } from '@duet/contract/insights.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

export function useInsights() {
  return useQuery({
    queryKey: ['insights'],
    queryFn: ({ signal }) => call('GET /api/admin/insights', { signal }),
    staleTime: 60_000,
  })
}

/** An empty query sends no request. */
export function useFoundPeople(query: string) {
  return useQuery({
    queryKey: ['found-people', query],
    queryFn: ({ signal }) => call('GET /api/admin/people', { query: { query }, signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  })
}

export function useFunnel(userId: string) {
  return useQuery({
    queryKey: ['funnel', userId],
    queryFn: ({ signal }) => call('GET /api/admin/people/:userId/funnel', { params: { userId }, signal }),
  })
}

const modelsKey = ['models'] as const

export function useModels() {
  return useQuery({ queryKey: modelsKey, queryFn: ({ signal }) => call('GET /api/admin/models', { signal }) })
}

export function useUseModel() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (version: number) =>
      call('PUT /api/admin/models/:version/active', { params: { version: String(version) } }),
    onSuccess: (models) => queryClient.setQueryData<{ models: Model[] }>(modelsKey, models),
    onError: () => queryClient.invalidateQueries({ queryKey: modelsKey }),
  })
}
