import type { OperatorSettings } from '@duet/contract/settings.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

const settingsKey = ['operator-settings'] as const

export function useOperatorSettings() {
  return useQuery({ queryKey: settingsKey, queryFn: ({ signal }) => call('GET /api/admin/settings', { signal }) })
}

export function useChangeSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (changes: Partial<OperatorSettings>) => call('PATCH /api/admin/settings', { body: changes }),
    onSuccess: (settings) => queryClient.setQueryData<OperatorSettings>(settingsKey, settings),
  })
}
