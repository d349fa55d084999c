import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { type Trials, useTried } from '../../platform/query/trials.ts'
import { useTrial } from '../../platform/query/use-trial.ts'
import { samePerson } from '../../platform/session.ts'
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

export const useAbility = () =>
  useQuery({ queryKey: ['push', 'ability'], queryFn: abilityOf, networkMode: 'always' }).data

type Channel = 'inApp' | 'push' | 'email'

export type PreferenceChanges = Partial<Omit<NotificationPreferences, Channel>> & {
  [Name in Channel]?: Partial<NotificationPreferences[Name]>
}

const preferenceTrials: Trials<NotificationPreferences, PreferenceChanges> = {
  queryKey: preferencesQuery.queryKey,
  apply: (now, { inApp, push, email, ...others }) => ({
    ...now,
    ...others,
    ...(inApp && { inApp: { ...now.inApp, ...inApp } }),
    ...(push && { push: { ...now.push, ...push } }),
    ...(email && { email: { ...now.email, ...email } }),
  }),
}

export function usePreferences() {
  const { data, ...query } = useQuery(preferencesQuery)
  return { ...query, data: useTried(preferenceTrials, data) }
}

export function useChangePreferences(failed: string) {
  // The server replaces all preferences at once, so first fetch the ones that another device may have changed.
  const send = async (changes: PreferenceChanges) => {
    const stillMe = samePerson()
    const now = await call('GET /api/notifications/preferences')
    stillMe()
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const body = { ...preferenceTrials.apply(now, changes), timeZone }
    return call('PUT /api/notifications/preferences', { body })
  }
  return useTrial(preferenceTrials, send, () => toast.error(failed)).mutate
}
