import type { Verification, VerificationForReview, VerificationReason } from '@duet/contract/verification.ts'
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/call.ts'
import { upload } from '../../platform/upload.ts'
import { ownDetailsKey, useOwnDetails } from '../accounts/accounts.ts'

const verificationKey = [...ownDetailsKey, 'verification'] as const
const waitingMs = 30_000

/** When to ask again: now and then while it waits, and when the time for a pose is over. */
function nextLook({ state, expiresAt }: Verification): number | false {
  if (state === 'waiting') return waitingMs
  return state === 'asked' && expiresAt ? Math.max(1_000, Date.parse(expiresAt) - Date.now() + 500) : false
}

/** How far the own verification is; read again when the badge comes or goes. */
export function useVerification() {
  const { data: details } = useOwnDetails()
  return useQuery<Verification>({
    queryKey: [...verificationKey, details?.verified ?? false],
    queryFn: ({ signal }) => call('GET /api/verification', { signal }),
    refetchInterval: ({ state }) => (state.data ? nextLook(state.data) : false),
  })
}

function useVerificationChange<T, R>(send: (what: T) => Promise<R>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    // The badge is part of the own details, and the state is kept under them.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownDetailsKey }),
  })
}

/** Asks for a pose. */
export function useStartVerification() {
  return useVerificationChange((handsFree: boolean) => call('POST /api/verification', { body: { handsFree } }))
}

/** Sends the selfie and tells how far it got, from 0 to 1. */
export function useSendSelfie() {
  const [progress, setProgress] = useState(0)
  const sending = useVerificationChange((selfie: Blob) => {
    const form = new FormData()
    form.append('file', selfie, 'selfie.jpg')
    setProgress(0)
    return upload('PUT /api/verification/selfie', { form }, setProgress)
  })
  return { ...sending, progress }
}

/** Takes the verification back, or gives the badge up. */
export function useRevokeVerification() {
  return useVerificationChange((_: undefined) => call('DELETE /api/verification'))
}

const reviewKey = ['verifications'] as const
type VerificationsPage = { verifications: VerificationForReview[]; nextCursor: string | null }

/** People who wait to be verified, oldest first. */
export function useVerificationsForReview() {
  return useInfiniteQuery({
    queryKey: reviewKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/verifications', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** The selfie itself, fetched when someone looks: every look is on record. Nothing of it is kept once it is out of sight. */
export function useSelfie(id: string) {
  return useQuery({
    queryKey: ['selfie', id],
    queryFn: ({ signal }) => call('GET /api/admin/verifications/:id/selfie', { params: { id }, signal }),
    meta: { isOnRecord: true },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}

export type VerificationDecision = { decision: 'approved' } | { decision: 'rejected'; reason: VerificationReason }

/** Decides about someone; they leave the list. */
export function useDecideVerification() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: VerificationDecision & { id: string }) =>
      call('PATCH /api/admin/verifications/:id', { params: { id }, body }),
    onSuccess: (_, { id }) =>
      queryClient.setQueryData<InfiniteData<VerificationsPage>>(reviewKey, (data) => data && without(data, id)),
    onError: () => queryClient.invalidateQueries({ queryKey: reviewKey }),
  })
}

function without(data: InfiniteData<VerificationsPage>, id: string): InfiniteData<VerificationsPage> {
  const pages = data.pages.map((page) => ({
    ...page,
    verifications: page.verifications.filter((one) => one.id !== id),
  }))
  return { ...data, pages }
}
