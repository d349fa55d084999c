import type { SecondFactor } from '@duet/contract/second-factor.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../platform/call.ts'
import { problemCode } from '../../../platform/problem.ts'
import { provePasskey, withStepUp } from '../../accounts/accounts.ts'

const factorKey = ['second-factor'] as const

/** Whether the viewer has a second factor, and whether this session has passed it. */
export function useSecondFactor() {
  return useQuery({
    queryKey: factorKey,
    queryFn: ({ signal }) => call('GET /api/admin/second-factor', { signal }),
  })
}

const isAsked = (error: unknown) => problemCode(error) === 'second_factor_required'

/** Whatever is refused for want of a second factor makes the page look again whether one is due. */
export function useAskAgain(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const again = () => void queryClient.invalidateQueries({ queryKey: factorKey })
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isAsked(event.action.error)) again()
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isAsked(event.action.error)) again()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [queryClient])
}

// What was refused before is read again.
function passed(queryClient: QueryClient, changes: Partial<SecondFactor>): void {
  queryClient.setQueryData<SecondFactor>(factorKey, (known) => known && { ...known, ...changes })
  void queryClient.invalidateQueries({ predicate: ({ state }) => isAsked(state.error) })
}

/** Begins to set the second factor up: gives its secret. */
export function useEnrol() {
  return useMutation({ mutationFn: () => withStepUp(() => call('POST /api/admin/second-factor')) })
}

/** Finishes with a first code: gives the recovery codes. `usePassed` goes on once they are kept. */
export function useConfirm() {
  return useMutation({
    mutationFn: (code: string) => withStepUp(() => call('POST /api/admin/second-factor/confirm', { body: { code } })),
  })
}

/** Gives what to call when the recovery codes are kept. */
export function usePassed() {
  const queryClient = useQueryClient()
  return (verifiedUntil: string) => passed(queryClient, { enrolled: true, verifiedUntil, recoveryCodesLeft: 10 })
}

/** Passes the second factor for this session: with a code, or without one by passkey. */
export function useVerifySecondFactor() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (code?: string) => {
      const body = code === undefined ? { passkey: await provePasskey() } : { code }
      return call('POST /api/admin/second-factor/verify', { body })
    },
    onSuccess: (given) => {
      passed(queryClient, given)
      void queryClient.invalidateQueries({ queryKey: factorKey })
    },
  })
}
