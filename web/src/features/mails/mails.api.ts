import type { MailGroup, MailState } from '@duet/contract/mails.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

const mailKey = ['mail'] as const

export function useMailState() {
  return useQuery<MailState>({ queryKey: mailKey, queryFn: ({ signal }) => call('GET /api/mail', { signal }) })
}

/** Resumes emails that stopped because my mailbox rejected them. */
export function useRetryMail() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/mail/retry'),
    onSuccess: () =>
      queryClient.setQueryData<MailState>(mailKey, (state) => state && { ...state, unreachableSince: null }),
  })
}

export function useResumeMail() {
  const queryClient = useQueryClient()
  return useMutation({
    // Sent one at a time: each response contains all email settings, so a late response would overwrite newer changes.
    scope: { id: 'mail' },
    mutationFn: (group: MailGroup) => call('POST /api/mail/resume', { body: { group } }),
    onSuccess: (state) => queryClient.setQueryData<MailState>(mailKey, state),
  })
}

/** Also works when signed out, because the link contains a token. */
export function useUnsubscribe() {
  return useMutation({
    mutationFn: (token: string) =>
      call('POST /api/mail/unsubscribe', { query: { token }, body: { 'List-Unsubscribe': 'One-Click' } }),
  })
}
