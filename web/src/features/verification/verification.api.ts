import type { Verification, VerificationForReview, VerificationReason } from '@duet/contract/verification.ts'
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../platform/call.ts'
import { upload } from '../../platform/upload.ts'
import { ownDetailsKey, useOwnDetails } from '../accounts/accounts.ts'

const verificationKey = [...ownDetailsKey, 'verification'] as const
const waitingMs = 30_000

/** Milliseconds until the next poll: a fixed interval while a review is pending, or the time until the pose expires. */
function nextLook({ state, expiresAt }: Verification): number | false {
  if (state === 'waiting') return waitingMs
  return state === 'asked' && expiresAt ? Math.max(1_000, Date.parse(expiresAt) - Date.now() + 500) : false
}

/** The query key includes the badge, so a change of the badge refetches the state. */
export function useVerification() {
  const { data: details } = useOwnDetails()
  return useQuery<Verification>({
    queryKey: [...verificationKey, details?.verified ?? false],
    queryFn: ({ signal }) => call('GET /api/verification', { signal }),
    refetchInterval: ({ state }) => (state.data ? nextLook(state.data) : false),
  })
}

function useVerificationChange<T, R>(send: (what: T) => Promise<R>, onError?: (error: Error) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    ...(onError && { onError }),
    // The verification state is cached under the key of my details, which include the badge, so this refetches both.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownDetailsKey }),
  })
}

export function useStartVerification() {
  return useVerificationChange((handsFree: boolean) => call('POST /api/verification', { body: { handsFree } }))
}

/** `onError` is called even if the component that sent the selfie is gone. */
export function useSendSelfie(onError: (error: Error) => void) {
  const [progress, setProgress] = useState(0)
  const sending = useVerificationChange((selfie: Blob) => {
    const form = new FormData()
    form.append('file', selfie, 'selfie.jpg')
    setProgress(0)
    return upload('PUT /api/verification/selfie', { form }, setProgress)
  }, onError)
  return { ...sending, progress }
}

export function useRevokeVerification() {
  return useVerificationChange((_: undefined) => call('DELETE /api/verification'))
}

const reviewKey = ['verifications'] as const
type VerificationsPage = { verifications: VerificationForReview[]; nextCursor: string | null }

export function useVerificationsForReview() {
  return useInfiniteQuery({
    queryKey: reviewKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call('GET /api/admin/verifications', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

/** The server logs each view, so this never refetches automatically and isn't cached. */
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
