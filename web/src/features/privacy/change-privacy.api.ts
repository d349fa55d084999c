import type { Privacy } from '@duet/contract/privacy.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CallRequest, call } from '../../platform/call.ts'
import { conversationsKey } from '../conversations/conversations.keys.ts'
import { nearbyKey } from '../discovery/discovery.keys.ts'
import { notificationsKey } from '../notifications/notifications.keys.ts'
import { profilesKey } from '../profiles/profiles.keys.ts'
import { showBlurred } from './blur.ts'
import { privacyQuery } from './privacy.api.ts'

export type PrivacyChanges = CallRequest<'PATCH /api/privacy'>['body']

// One after the other: each answer holds everything, and the last one is to be the newest.
const oneAtATime = { mutationKey: ['privacy'], scope: { id: 'privacy' } } as const

/** Changes some of it; it holds at once, and is put back when it was not kept. */
export function useChangePrivacy() {
  const queryClient = useQueryClient()
  const keep = (privacy: Privacy) => {
    // What waits behind this answer is ahead of it.
    if (queryClient.isMutating({ mutationKey: oneAtATime.mutationKey }) > 1) return
    queryClient.setQueryData(privacyQuery.queryKey, privacy)
    showBlurred(privacy.blurPhotos)
  }
  return useMutation({
    ...oneAtATime,
    mutationFn: (body: PrivacyChanges) => call('PATCH /api/privacy', { body }),
    onMutate: (changes) => {
      const before = queryClient.getQueryData(privacyQuery.queryKey)
      if (before) queryClient.setQueryData(privacyQuery.queryKey, { ...before, ...defined(changes) })
      return before
    },
    onError: (_error, _changes, before) => {
      if (before) queryClient.setQueryData(privacyQuery.queryKey, before)
    },
    onSuccess: (privacy: Privacy, changes) => {
      keep(privacy)
      if (changes.hiddenWords !== undefined) void queryClient.invalidateQueries({ queryKey: notificationsKey })
      // Who is online and who is near looks different from now on.
      if (changes.hidePresence !== undefined)
        for (const queryKey of [conversationsKey, profilesKey, nearbyKey])
          void queryClient.invalidateQueries({ queryKey })
    },
  })
}

function defined(changes: PrivacyChanges): Partial<Privacy> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}
