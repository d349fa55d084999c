import { navigate } from '../../platform/address/address.tsx'
import { preloadTexts } from '../../platform/i18n.ts'
import { permitted } from '../../platform/permitted.ts'
import { registrationHere, workersHere } from '../../platform/service-worker.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { isWanted, mayOffer } from './offered.ts'

/** What is pushed, when and where to; in the settings. */
export const PushSettings = lazily(async () => {
  const [{ PushSection }] = await Promise.all([import('./push-section.tsx'), preloadTexts('push')])
  return { default: PushSection }
})

const Invitation = lazily(async () => {
  const [module] = await Promise.all([import('./invitation.tsx'), preloadTexts('push')])
  return { default: module.Invitation }
})

/** Offers once to push what the people here answer, where that was never asked. */
export function PushInvitation() {
  return mayOffer() ? (
    <Extra>
      <Invitation />
    </Extra>
  ) : null
}

// Most people have nothing pushed, and need none of this.
const withBrowser = async (act: (browser: typeof import('./browser.ts')) => Promise<void>) => {
  if (isWanted()) await act(await import('./browser.ts'))
}

/** At the start of a signed-in page. Returns how to stop. */
export function followPush(): () => void {
  void withBrowser(({ keepPush }) => keepPush()).catch((error: unknown) =>
    console.error('Notifications could not be kept up.', error),
  )
  // A click on a notification leads to where it is about, in the page that is open.
  const open = ({ data }: MessageEvent<{ type?: string; link?: string }>) => {
    if (data?.type === 'open' && data.link?.startsWith('/')) navigate(data.link)
  }
  const workers = workersHere()
  permitted(() => workers?.addEventListener('message', open))
  return () => permitted(() => workers?.removeEventListener('message', open))
}

/** Takes away what this device still shows of notifications that have been read, here or elsewhere. */
export async function closeRead(isUnread: (id: string) => boolean): Promise<void> {
  const registration = await registrationHere()
  for (const shown of (await registration?.getNotifications()) ?? []) if (!isUnread(shown.data?.id ?? '')) shown.close()
}
