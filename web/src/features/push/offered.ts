import { permitted } from '../../platform/permitted.ts'
import { registrationHere } from '../../platform/service-worker.ts'
import { whenPersonChanges } from '../../platform/session.ts'
import { deviceTexts } from '../../platform/storage.ts'

/** Stores who turned on push in this browser, and the endpoint last sent to the server. */
export const keptKey = 'push'
export const isWanted = () => deviceTexts.read(keptKey) !== null

/** Set once someone has answered the offer on this device. */
const answeredKey = 'push-answered'

/** Call when someone declines the offer or turns push off, so that it isn't offered again. */
export const noteRefusal = () => void deviceTexts.write(answeredKey, 'yes')

/**
 * Whether to offer push: it wasn't answered on this device, and the browser allows it or would ask. The browser still
 * allows it after a session ends, so whoever signs in next gets the offer.
 */
export const mayOffer = () => {
  const permission = permitted(() => Notification.permission)
  if (permission !== 'default' && permission !== 'granted') return false
  return !isWanted() && deviceTexts.read(answeredKey) === null
}

/** Unsubscribes this browser and closes its notifications. The server finds out when its next push is rejected. */
export async function turnOff(): Promise<void> {
  deviceTexts.remove(keptKey)
  const own = await registrationHere()
  await (await own?.pushManager?.getSubscription())?.unsubscribe()
  for (const shown of (await own?.getNotifications()) ?? []) shown.close()
}

// The next person to use this browser must not get the previous person's notifications.
whenPersonChanges(() => {
  if (isWanted()) void turnOff().catch(() => undefined)
})
