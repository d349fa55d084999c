import { permitted } from '../../platform/permitted.ts'
import { registrationHere } from '../../platform/service-worker.ts'
import { whenPersonChanges } from '../../platform/session.ts'
import { deviceTexts } from '../../platform/storage.ts'

/** The storage key for who turned on push in this browser and the endpoint last sent to the server. */
export const keptKey = 'push'
export const isWanted = () => deviceTexts.read(keptKey) !== null

/** The storage key that records that someone has answered the offer on this device. */
const answeredKey = 'push-answered'

/** Call when someone declines the offer or turns push off, so that push isn't offered again. */
export const noteRefusal = () => void deviceTexts.write(answeredKey, 'yes')

/**
 * Whether to offer push: nobody has answered the offer on this device, and the browser hasn't denied permission. The
 * permission outlasts a session, so the next person to sign in gets the offer as well.
 */
export const mayOffer = () => {
  const permission = permitted(() => Notification.permission)
  if (permission !== 'default' && permission !== 'granted') return false
  return !isWanted() && deviceTexts.read(answeredKey) === null
}

/** The server isn't notified; it notices when its next push is rejected. */
export async function turnOff(): Promise<void> {
  deviceTexts.remove(keptKey)
  const own = await registrationHere()
  await (await own?.pushManager?.getSubscription())?.unsubscribe()
  for (const shown of (await own?.getNotifications()) ?? []) shown.close()
}

// The next person on this browser must not get the previous person's notifications.
whenPersonChanges(() => {
  if (isWanted()) void turnOff().catch(() => undefined)
})
