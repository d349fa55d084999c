import { lazy, Suspense } from 'react'
import { navigate } from '../../platform/address.tsx'
import { preloadTexts } from '../../platform/i18n.ts'
import { whenPersonChanges } from '../../platform/session.ts'
import { isWanted, mayOffer } from './offered.ts'

/** What is pushed, when and where to; in the settings. */
export const PushSettings = lazy(async () => {
  const [{ PushSection }] = await Promise.all([import('./push-section.tsx'), preloadTexts('push')])
  return { default: PushSection }
})

const Invitation = lazy(async () => {
  const [module] = await Promise.all([import('./invitation.tsx'), preloadTexts('push')])
  return { default: module.Invitation }
})

/** Offers once to push what the people here answer, where that was never asked. */
export function PushInvitation() {
  return mayOffer() ? (
    <Suspense fallback={null}>
      <Invitation />
    </Suspense>
  ) : null
}

// Most people have nothing pushed, and need none of this.
const withBrowser = async (act: (browser: typeof import('./browser.ts')) => Promise<void>) => {
  if (isWanted()) await act(await import('./browser.ts'))
}

// The next person at this browser is pushed nothing of the one before.
whenPersonChanges(() => void withBrowser(({ turnOff }) => turnOff()).catch(() => undefined))

/** At the start of a signed-in page. Returns how to stop. */
export function followPush(): () => void {
  void withBrowser(({ keepPush }) => keepPush()).catch((error: unknown) =>
    console.error('Notifications could not be kept up.', error),
  )
  // A click on a notification leads to where it is about, in the page that is open.
  const open = ({ data }: MessageEvent<{ type?: string; link?: string }>) => {
    if (data?.type === 'open' && data.link?.startsWith('/')) navigate(data.link)
  }
  navigator.serviceWorker?.addEventListener('message', open)
  return () => navigator.serviceWorker?.removeEventListener('message', open)
}

/** Takes away what this device still shows of notifications that have been read, here or elsewhere. */
export async function closeRead(isUnread: (id: string) => boolean): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) if (!isUnread(shown.data?.id ?? '')) shown.close()
}
