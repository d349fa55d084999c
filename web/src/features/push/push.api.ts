import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { toast } from '../../platform/toast.ts'
import { abilityOf } from './browser.ts'

export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: ({ signal }) => call('GET /api/push', { signal }),
})

const preferencesQuery = queryOptions({
  queryKey: ['push', 'preferences'],
  queryFn: ({ signal }) => call('GET /api/notifications/preferences', { signal }),
})

/** What this browser can do, and whether its person has said no to it. */
export const useAbility = () =>
  useQuery({ queryKey: ['push', 'ability'], queryFn: abilityOf, networkMode: 'always' }).data

export const usePreferences = () => useQuery(preferencesQuery)

/** Changes some of what is pushed. It shows at once, and is put back when it was not kept. */
export function useChangePreferences(failed: string) {
  const queryClient = useQueryClient()
  const { queryKey } = preferencesQuery
  return useMutation({
    scope: { id: 'preferences' },
    mutationFn: (changes: Partial<NotificationPreferences>) => {
      const now = queryClient.getQueryData(queryKey) as NotificationPreferences
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      return call('PUT /api/notifications/preferences', { body: { ...now, timeZone, ...changes } as never })
    },
    onMutate: (changes) => {
      const before = queryClient.getQueryData(queryKey)
      if (before) queryClient.setQueryData(queryKey, { ...before, ...changes })
      return before
    },
    onError: (_error, _changes, before) => {
      queryClient.setQueryData(queryKey, before)
      toast.error(failed)
    },
  })
}
