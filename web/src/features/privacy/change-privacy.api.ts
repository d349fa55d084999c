import type { Privacy } from '@duet/contract/privacy.ts'
import { useQueryClient } from '@tanstack/react-query'
import { conversationsKey, nearbyKey, notificationsKey, profilesKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { type Trials, useTried } from '../../platform/query/trials.ts'
import { useTrial } from '../../platform/query/use-trial.ts'
import { samePerson } from '../../platform/session.ts'
import { showBlurred } from './blur.ts'
import { privacyQuery, usePrivacy } from './privacy.api.ts'

export type PrivacyChanges = Partial<Omit<Privacy, 'hiddenWords'>> & { hideWord?: string; unhideWord?: string }

const privacyTrials: Trials<Privacy, PrivacyChanges> = {
  queryKey: privacyQuery.queryKey,
  apply: (now, { hideWord, unhideWord, ...others }) => {
    const kept = now.hiddenWords.filter((word) => word !== unhideWord)
    const isNew = hideWord !== undefined && !kept.includes(hideWord)
    return { ...now, ...others, hiddenWords: isNew ? [...kept, hideWord] : kept }
  },
}

const changesWords = ({ hideWord, unhideWord }: PrivacyChanges) => (hideWord ?? unhideWord) !== undefined

// The server replaces all hidden words at once, so first fetch the ones that another device may have changed.
async function send(changes: PrivacyChanges, stillMe: () => void): Promise<Privacy> {
  const { hideWord: _, unhideWord: __, ...others } = changes
  if (!changesWords(changes)) return call('PATCH /api/privacy', { body: others })
  const { hiddenWords } = privacyTrials.apply(await call('GET /api/privacy'), changes)
  stillMe()
  return call('PATCH /api/privacy', { body: { ...others, hiddenWords } })
}

export function usePrivacySettings() {
  const { data, ...query } = usePrivacy()
  return { ...query, data: useTried(privacyTrials, data) }
}

export function useChangePrivacy() {
  const queryClient = useQueryClient()
  const { mutateAsync } = useTrial(privacyTrials, async (changes) => {
    const stillMe = samePerson()
    const privacy = await send(changes, stillMe)
    stillMe()
    showBlurred(privacy.blurPhotos)
    if (changesWords(changes)) void queryClient.invalidateQueries({ queryKey: notificationsKey })
    // People who hide their activity don't see others' activity, so refetch what shows it.
    if (changes.hidePresence !== undefined)
      for (const queryKey of [conversationsKey, profilesKey, nearbyKey])
        void queryClient.invalidateQueries({ queryKey })
    return privacy
  })
  return mutateAsync
}
