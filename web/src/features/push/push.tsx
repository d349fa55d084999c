import { navigate } from '../../platform/address/address.tsx'
import { preloadTexts } from '../../platform/i18n.ts'
import { permitted } from '../../platform/permitted.ts'
import { registrationHere, workersHere } from '../../platform/service-worker.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { isWanted, mayOffer } from './offered.ts'

export const PushSettings = lazily(async () => {
  const [{ PushSection }] = await Promise.all([import('./push-section.tsx'), preloadTexts('push')])
  return { default: PushSection }
})

const Invitation = lazily(async () => {
  const [module] = await Promise.all([import('./invitation.tsx'), preloadTexts('push')])
  return { default: module.Invitation }
})

export function PushInvitation() {
  return mayOffer() ? (
    <Extra>
      <Invitation />
    </Extra>
  ) : null
}

// Loaded on demand, because most people haven't turned push on.
const withBrowser = async (act: (browser: typeof import('./browser.ts')) => Promise<void>) => {
  if (isWanted()) await act(await import('./browser.ts'))
}

/** Call when a page of a signed-in person starts. Returns a function that removes the listeners. */
export function followPush(): () => void {
  void withBrowser(({ keepPush }) => keepPush()).catch((error: unknown) =>
    console.error('Could not renew the push subscription.', error),
  )
  const open = ({ data }: MessageEvent<{ type?: string; link?: string }>) => {
    if (data?.type === 'open' && data.link?.startsWith('/')) navigate(data.link)
  }
  const workers = workersHere()
  permitted(() => workers?.addEventListener('message', open))
  return () => permitted(() => workers?.removeEventListener('message', open))
}

export async function closeRead(isUnread: (id: string) => boolean): Promise<void> {
  const registration = await registrationHere()
  for (const shown of (await registration?.getNotifications()) ?? []) if (!isUnread(shown.data?.id ?? '')) shown.close()
}
