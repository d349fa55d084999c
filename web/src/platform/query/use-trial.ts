import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Trials, trialKey } from './trials.ts'

/**
 * Sends optimistic updates one at a time; `now` is the server's latest data. If `send` returns data, it replaces the
 * cached data; otherwise the change is applied to the cached data. If `send` fails, `failed` is called and the query is
 * refetched.
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
      // The response to a pending fetch may predate this change.
      if (queryClient.isFetching({ queryKey, exact: true }) > 0) readAgain()
    },
    onError: () => {
      readAgain()
      failed?.()
    },
  })
}
