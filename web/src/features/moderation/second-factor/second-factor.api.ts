import type { SecondFactor } from '@duet/contract/second-factor.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../platform/call.ts'
import { problemCode } from '../../../platform/problem.ts'
import { provePasskey, withStepUp } from '../../accounts/accounts.ts'

const factorKey = ['second-factor'] as const

export function useSecondFactor() {
  return useQuery({
    queryKey: factorKey,
    queryFn: ({ signal }) => call('GET /api/admin/second-factor', { signal }),
  })
}

const isAsked = (error: unknown) => problemCode(error) === 'second_factor_required'

/** When a request is refused for lack of a second factor, refetches whether one is required. */
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

// Updates the cached second factor and refetches the queries that were refused without it.
function passed(queryClient: QueryClient, changes: Partial<SecondFactor>): void {
  queryClient.setQueryData<SecondFactor>(factorKey, (known) => known && { ...known, ...changes })
  void queryClient.invalidateQueries({ predicate: ({ state }) => isAsked(state.error) })
}

export function useEnrol() {
  return useMutation({ mutationFn: () => withStepUp(() => call('POST /api/admin/second-factor')) })
}

/** Resolves to the recovery codes. Call `usePassed` only after they are saved, because it replaces the setup screen. */
export function useConfirm() {
  return useMutation({
    mutationFn: (code: string) => withStepUp(() => call('POST /api/admin/second-factor/confirm', { body: { code } })),
  })
}

export function usePassed() {
  const queryClient = useQueryClient()
  return (verifiedUntil: string) => passed(queryClient, { enrolled: true, verifiedUntil, recoveryCodesLeft: 10 })
}

/** Uses a passkey if `code` is undefined. */
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
