import * as contract from '@duet/contract/notifications.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { clearNotifications, listNotifications, readAllNotifications, readNotification } from './notifications.ts'
import { choosePreferences, preferencesOf } from './preferences.ts'

export function notificationRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listNotifications, async (_input, { viewer }) => ({
    notifications: await listNotifications(platform, viewer.id),
  }))
  serve(contract.readNotification, ({ params }, { viewer }) => readNotification(platform, viewer.id, params.id))
  serve(contract.readAllNotifications, async (_input, { viewer }) => ({
    notifications: await readAllNotifications(platform, viewer.id),
  }))
  serve(contract.clearNotifications, async (_input, { viewer }) => {
    await clearNotifications(platform, viewer.id)
    return { ok: true } as const
  })
  serve(contract.getNotificationPreferences, (_input, { viewer }) => preferencesOf(platform, viewer.id))
  serve(contract.putNotificationPreferences, ({ body }, { viewer }) => choosePreferences(platform, viewer.id, body))
}
