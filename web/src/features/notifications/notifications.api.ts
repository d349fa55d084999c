import type { Notification } from '@duet/contract/notifications.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { notificationsKey } from './notifications.keys.ts'

export const notificationsNewestFirst = (list: readonly Notification[]): Notification[] =>
  list.toSorted((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp))

/** Puts a new notification, or a newer version of one, into the list. */
export function keepNotification(queryClient: QueryClient, notification: Notification): void {
  queryClient.setQueryData<Notification[]>(notificationsKey, (list) =>
    list ? notificationsNewestFirst([notification, ...list.filter(({ id }) => id !== notification.id)]) : list,
  )
}

/** My notifications, newest first. */
export function useNotifications() {
  return useQuery({
    queryKey: notificationsKey,
    queryFn: async ({ signal }) =>
      notificationsNewestFirst((await call('GET /api/notifications', { signal })).notifications),
  })
}

// Each change shows at once; when the server refuses, the list is read again.
function useChange<T>(change: (list: Notification[], what: T) => Notification[], send: (what: T) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: send,
    onMutate: async (what: T) => {
      await queryClient.cancelQueries({ queryKey: notificationsKey })
      queryClient.setQueryData<Notification[]>(notificationsKey, (list) => list && change(list, what))
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: notificationsKey }),
  })
}

/** Marks one notification read. */
export function useReadNotification() {
  return useChange(
    (list, id: string) => list.map((item) => (item.id === id ? { ...item, read: true } : item)),
    (id) => call('PATCH /api/notifications/:id', { params: { id }, body: { read: true } }),
  )
}

/** Marks all of them read. */
export function useReadAllNotifications() {
  return useChange(
    (list, _all: undefined) => list.map((item) => ({ ...item, read: true })),
    () => call('PATCH /api/notifications', { body: { read: true } }),
  )
}

/** Empties the list. */
export function useClearNotifications() {
  return useChange(
    (_list, _all: undefined) => [],
    () => call('DELETE /api/notifications'),
  )
}
