import type { InvalidateQueryFilters, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Refetches data that has changed on the server. Cancels a pending fetch first: TanStack Query would wait for an
 * initial fetch to finish, but its response may predate the change.
 */
export async function readAnew(
  queryClient: QueryClient,
  { queryKey, ...how }: { queryKey: QueryKey } & InvalidateQueryFilters,
): Promise<void> {
  if (queryClient.isFetching({ queryKey }) > 0) await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey, ...how })
}

/**
 * Applies an event from the server to the cache. Cancels and repeats a pending fetch, because its response may predate
 * the event.
 */
export async function keepTold<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  change: (known: Data | undefined) => Data | undefined,
): Promise<void> {
  const read = { queryKey, exact: true }
  const isReading = queryClient.isFetching(read) > 0
  // Must come before the change, because cancelling a fetch restores the data from before it.
  if (isReading) await queryClient.cancelQueries(read)
  queryClient.setQueryData<Data>(queryKey, change)
  if (isReading) await queryClient.invalidateQueries(read)
}
