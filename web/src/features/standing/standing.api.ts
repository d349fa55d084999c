import type { OwnStanding } from '@duet/contract/sanctions.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'

const standingKey = ['standing'] as const
const lookAgainMs = 60_000

/** Polls while suspended, because suspended people have no live connection that would report the end. */
export function useStanding() {
  return useQuery({
    queryKey: standingKey,
    queryFn: async ({ signal }) => noted(await call('GET /api/standing', { signal })),
    refetchInterval: ({ state }) => (isShut(state.data) ? lookAgainMs : false),
  })
}

/** Whether the person can use only the /standing screen. */
export const isShut = (standing: OwnStanding | undefined) =>
  standing?.standing === 'suspended' || standing?.standing === 'banned'

function noted(standing: OwnStanding): OwnStanding {
  useSession.getState().setSuspended(isShut(standing))
  return standing
}

/** The scheduled erasure time, for suspended people, whose details can't be loaded. */
export function useErasure(on: boolean) {
  return useQuery({
    queryKey: [...ownDetailsKey, 'erasure'],
    queryFn: ({ signal }) => call('GET /api/erasure', { signal }),
    enabled: on,
  })
}

export function useAppeal() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { sanctionId: string; text: string }) => call('POST /api/appeals', { body }),
    onSuccess: (standing) => queryClient.setQueryData<OwnStanding>(standingKey, standing),
    onError: () => queryClient.invalidateQueries({ queryKey: standingKey }),
  })
}
