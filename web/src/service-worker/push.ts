// What is pushed while no page is open: shown in the person's language, by the texts of the bell.
import type { PushMessage } from '@duet/contract/push.ts'
import i18next, { type TFunction } from 'i18next'
import ar from '../locales/ar/notifications.json'
import en from '../locales/en/notifications.json'
import es from '../locales/es/notifications.json'

declare const self: ServiceWorkerGlobalScope

const resources = { en: { notifications: en }, es: { notifications: es }, ar: { notifications: ar } }

async function textsOf(language: string): Promise<TFunction> {
  const texts = i18next.createInstance()
  const interpolation = { escapeValue: false }
  return texts.init({ lng: language, fallbackLng: 'en', defaultNS: 'notifications', resources, interpolation })
}

/** Shows it in the place of an earlier one of the same, and takes away what has been read on another device. */
async function show({ id, kind, params, link, language, unread }: PushMessage): Promise<void> {
  const t = await textsOf(language)
  // A server that is newer than this worker may know more kinds.
  const known = kind in en.kind ? kind : 'news'
  const say = (part: 'title' | 'message') => t(`kind.${known}.${part}`, { preview: '', ...params })
  await self.registration.showNotification(say('title'), {
    body: say('message'),
    tag: id,
    data: { id, link },
    icon: '/icon-192.png',
    lang: language,
    dir: language === 'ar' ? 'rtl' : 'ltr',
  })
  const shown = await self.registration.getNotifications()
  for (const one of shown) if (one.tag !== id && !unread.includes(one.tag)) one.close()
}

/** Leads to what it is about, in the page that is open where there is one. */
async function open(link: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ focused }) => focused) ?? pages[0]
  if (!page) return void (await self.clients.openWindow(link))
  // Browsers may refuse to bring it forward; it leads there all the same.
  await page.focus().catch(() => undefined)
  page.postMessage({ type: 'open', link })
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.link))
})

// The page tells the server of the new address when Duet is next opened: a worker has no one's session.
self.addEventListener('pushsubscriptionchange', ((event: ExtendableEvent & { oldSubscription?: PushSubscription }) => {
  const options = event.oldSubscription?.options
  if (options) event.waitUntil(self.registration.pushManager.subscribe(options))
}) as EventListener)
