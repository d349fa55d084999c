import type { InvalidateQueryFilters, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Refetches data that has changed on the server. A fetch in flight is cancelled first, because TanStack Query would let
 * a first fetch finish, and its response may be from before the change.
 */
export async function readAnew(
  queryClient: QueryClient,
  { queryKey, ...how }: { queryKey: QueryKey } & InvalidateQueryFilters,
): Promise<void> {
  if (queryClient.isFetching({ queryKey }) > 0) await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey, ...how })
}

/** Applies an event from the server to the cache. A fetch in flight may predate it, so it is cancelled and repeated. */
export async function keepTold<Data>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  change: (known: Data | undefined) => Data | undefined,
): Promise<void> {
  const read = { queryKey, exact: true }
  const isReading = queryClient.isFetching(read) > 0
  // Before the change, because cancelling reverts the data to what it was before the fetch.
  if (isReading) await queryClient.cancelQueries(read)
  queryClient.setQueryData<Data>(queryKey, change)
  if (isReading) await queryClient.invalidateQueries(read)
}
