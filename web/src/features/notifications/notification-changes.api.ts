import type { Notification } from '@duet/contract/notifications.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { useTrial } from '../../platform/query/use-trial.ts'
import { type NotificationChange, notificationTrials } from './notifications.api.ts'

const useChange = (send: (change: NotificationChange) => Promise<unknown>) =>
  useTrial(notificationTrials, async (change) => {
    await send(change)
    return undefined
  })

const idsOf = (list: readonly Notification[]) => list.map(({ id }) => id)

export function useReadNotification() {
  const { mutate } = useChange(({ read: [id = ''] = [] }) =>
    call('PATCH /api/notifications/:id', { params: { id }, body: { read: true } }),
  )
  return (id: string) => mutate({ read: [id] })
}

/** Changes every notification on the server, including those that this page hasn't loaded, then refetches the list. */
function useChangeAll(send: () => Promise<unknown>) {
  const queryClient = useQueryClient()
  const { mutateAsync } = useChange(send)
  return async (change: NotificationChange) => {
    await mutateAsync(change)
    void queryClient.invalidateQueries({ queryKey: notificationTrials.queryKey, exact: true })
  }
}

export function useReadAllNotifications() {
  const change = useChangeAll(() => call('PATCH /api/notifications', { body: { read: true } }))
  return (list: readonly Notification[]) => change({ read: idsOf(list) })
}

export function useClearNotifications() {
  const change = useChangeAll(() => call('DELETE /api/notifications'))
  return (list: readonly Notification[]) => change({ gone: idsOf(list) })
}
