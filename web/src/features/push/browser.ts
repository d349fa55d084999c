import { call } from '../../platform/call.ts'
import { permitted } from '../../platform/permitted.ts'
import { registrationHere } from '../../platform/service-worker.ts'
import { samePerson, useSession } from '../../platform/session.ts'
import { deviceTexts } from '../../platform/storage.ts'
import { keptKey, turnOff } from './offered.ts'

interface Kept {
  userId: string
  endpoint: string
}

/** Whether this browser supports push: yes, only once the app is installed (iPhones and iPads), or no. */
export type Ability = 'able' | 'when_installed' | 'unable'

export async function abilityOf(): Promise<Ability> {
  // iPads identify as Macs, but Macs have no touch screen.
  const isApple =
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.maxTouchPoints > 1 && navigator.userAgent.includes('Macintosh'))
  if (!('PushManager' in window && 'Notification' in window)) return isApple ? 'when_installed' : 'unable'
  return (await registrationHere()) ? 'able' : 'unable'
}

function kept(): Kept | undefined {
  try {
    const value = JSON.parse(deviceTexts.read(keptKey) ?? 'null') as Kept | null
    return value && value.userId === useSession.getState().user?.id ? value : undefined
  } catch {
    return undefined
  }
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

async function tellServer(subscription: PushSubscription): Promise<void> {
  const userId = useSession.getState().user?.id ?? ''
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  const body = { endpoint, keys: { p256dh, auth }, timeZone: timeZone() }
  const stillMe = samePerson()
  await call('PUT /api/push/subscription', { body })
  stillMe()
  deviceTexts.write(keptKey, JSON.stringify({ userId, endpoint } satisfies Kept))
}

const bytesOf = (key: string) =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const isOfKey = (subscription: PushSubscription, key: string) => {
  const { applicationServerKey } = subscription.options
  return applicationServerKey !== null && String(new Uint8Array(applicationServerKey)) === String(bytesOf(key))
}

/** Replaces any subscription made with an older key. */
async function subscribe(publicKey: string, stillMe = samePerson()): Promise<void> {
  const { pushManager } = (await registrationHere()) as ServiceWorkerRegistration
  const known = await pushManager.getSubscription()
  if (known && !isOfKey(known, publicKey)) await known.unsubscribe()
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  })
  stillMe()
  await tellServer(subscription)
}

/** Resolves to false if permission is denied. */
export async function turnOn(publicKey: string): Promise<boolean> {
  const stillMe = samePerson()
  if ((await permitted(() => Notification.requestPermission())) !== 'granted') return false
  await subscribe(publicKey, stillMe)
  return true
}

/**
 * Call when a page of a signed-in person starts. Renews the subscription if the browser's endpoint or the server's key
 * has changed, and removes it if it was ended on another device.
 */
export async function keepPush(): Promise<void> {
  const before = kept()
  if (!before || permitted(() => Notification.permission) !== 'granted') return
  const stillMe = samePerson()
  const { publicKey, devices } = await call('GET /api/push')
  const known = await (await registrationHere())?.pushManager.getSubscription()
  stillMe()
  const isSame = known?.endpoint === before.endpoint
  if (publicKey === null || (isSame && !devices.some(({ current }) => current))) return turnOff()
  if (!known || !isSame || !isOfKey(known, publicKey)) return subscribe(publicKey)
  await tellServer(known)
}
