import type { Consent, Export } from '@duet/contract/data-rights.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { call } from '../../platform/call.ts'
import { detectLanguage } from '../../platform/i18n.ts'
import { ownDetailsKey, withStepUp } from '../accounts/accounts.ts'

const exportKey = ['export'] as const
const consentsKey = ['consents'] as const
const againMs = 1_000

/** My export, looked at every second while it is made. */
export function useExport() {
  return useQuery<Export>({
    queryKey: exportKey,
    queryFn: ({ signal }) => call('GET /api/export', { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'working' ? againMs : false),
  })
}

/** Begins to gather everything, in the language of the page. */
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

/** Hides me at once and lets everything go in 14 days. */
export function useRequestErasure() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => withStepUp(() => call('POST /api/erasure', { body: {} })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ownDetailsKey }),
  })
}

/** Keeps my account after all: whatever was read while it was hidden is read again. */
export function useUndoErasure() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /api/erasure'),
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** What I agree to. */
export function useConsents() {
  return useQuery<Consent[]>({
    queryKey: consentsKey,
    queryFn: async ({ signal }) => (await call('GET /api/consents', { signal })).consents,
  })
}

/** Agrees to something or takes it back; what it was about is read again. */
export function useChangeConsent() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: { purpose: 'sensitive' | 'location' | 'learning'; granted: boolean }) =>
      call('PUT /api/consents', { body: change }),
    onSuccess: ({ consents }) => {
      queryClient.setQueryData(consentsKey, consents)
      for (const queryKey of [ownDetailsKey, ['deck'], ['nearby'], ['questions']])
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}
