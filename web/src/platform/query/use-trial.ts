import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Trials, trialKey } from './trials.ts'

/**
 * Sends optimistic updates one at a time; `now` is the latest data from the server. If `send` returns data, that
 * replaces the cached data; otherwise the change is applied to it. Each failure calls `failed` and refetches the query.
 */
export function useTrial<Data, Change>(
  { queryKey, apply }: Trials<Data, Change>,
  send: (change: Change, now: Data) => Promise<Data | undefined>,
  failed?: () => void,
) {
  const queryClient = useQueryClient()
  const readAgain = () => void queryClient.invalidateQueries({ queryKey, exact: true })
  return useMutation({
    mutationKey: trialKey(queryKey),
    scope: { id: JSON.stringify(queryKey) },
    mutationFn: (change: Change) => send(change, queryClient.getQueryData<Data>(queryKey) as Data),
    onSuccess: (answer, change) => {
      queryClient.setQueryData<Data>(queryKey, (now) => answer ?? (now && apply(now, change)))
      // A fetch in flight may predate this change.
      if (queryClient.isFetching({ queryKey, exact: true }) > 0) readAgain()
    },
    onError: () => {
      readAgain()
      failed?.()
    },
  })
}
