import type { Consent, Export } from '@duet/contract/data-rights.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { deckKey, nearbyKey, questionsKey } from '../../cache/keys.ts'
import { call } from '../../platform/call.ts'
import { detectLanguage } from '../../platform/i18n.ts'
import { staleProof } from '../../platform/problem.ts'
import { type Trials, useTried } from '../../platform/query/trials.ts'
import { useTrial } from '../../platform/query/use-trial.ts'
import { ownDetailsKey, withStepUp } from '../accounts/accounts.ts'

const exportKey = ['export'] as const
const consentsKey = ['consents'] as const
const againMs = 1_000
/** In milliseconds. The download URL expires after ten minutes. */
const renewedMs = 60_000

const intervals = ({ state, url }: Export) => (state === 'working' ? againMs : url ? renewedMs : false)

/** Polls every second while the export is being prepared, then once a minute to keep the download URL valid. */
export function useExport() {
  return useQuery<Export>({
    queryKey: exportKey,
    queryFn: ({ signal }) => call('GET /api/export', { signal }),
    refetchInterval: ({ state }) => (state.data ? intervals(state.data) : false),
  })
}

/** Returns the download URL, with step-up authentication if the last proof of identity is too old. */
export function useExportAddress() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      withStepUp(async () => {
        const told = await call('GET /api/export')
        queryClient.setQueryData(exportKey, told)
        if (told.state === 'ready' && !told.url) throw staleProof()
        return told.url
      }),
  })
}

export function useRequestExport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const language = detectLanguage(i18next.language)
      return withStepUp(() => call('POST /api/export', { body: { language } }))
    },
    onSuccess: (told) => queryClient.setQueryData(exportKey, told),
  })
}

export function useRequestErasure() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => withStepUp(() => call('POST /api/erasure', { body: {} })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownDetailsKey }),
  })
}

/** Cancels the erasure and refetches everything, because other data was loaded while the account was hidden. */
export function useUndoErasure() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /api/erasure'),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

interface ConsentChange {
  purpose: 'sensitive' | 'location' | 'learning'
  granted: boolean
}

const unasked = { version: '', at: null }

const consentTrials: Trials<Consent[], ConsentChange> = {
  queryKey: consentsKey,
  apply: (consents, { purpose, granted }) => [
    ...consents.filter((consent) => consent.purpose !== purpose),
    { ...(consents.find((consent) => consent.purpose === purpose) ?? unasked), purpose, granted },
  ],
}

export function useConsents() {
  const { data, ...query } = useQuery<Consent[]>({
    queryKey: consentsKey,
    queryFn: async ({ signal }) => (await call('GET /api/consents', { signal })).consents,
  })
  return { ...query, data: useTried(consentTrials, data) }
}

/** `failed` is called once for each failed change. */
export function useChangeConsent(failed: () => void) {
  const queryClient = useQueryClient()
  const send = async (body: ConsentChange) => {
    const { consents } = await call('PUT /api/consents', { body })
    for (const queryKey of [ownDetailsKey, deckKey, nearbyKey, questionsKey])
      void queryClient.invalidateQueries({ queryKey })
    return consents
  }
  return useTrial(consentTrials, send, failed).mutateAsync
}
