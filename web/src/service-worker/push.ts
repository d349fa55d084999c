// Shows push notifications even when no page is open, with the texts of the notification list, in the recipient's
// language.
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

/** Replaces any earlier notification with the same id, and closes notifications that were read on another device. */
async function show({ id, kind, params, link, language, unread }: PushMessage): Promise<void> {
  const t = await textsOf(language)
  // A server newer than this worker may send kinds that this worker doesn't know.
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

async function open(link: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ focused }) => focused) ?? pages[0]
  if (!page) return void (await self.clients.openWindow(link))
  // First the link, so that the focus doesn't mark the chat that is open now as read.
  page.postMessage({ type: 'open', link })
  await page.focus().catch(() => undefined)
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.link))
})

// A service worker has no session, so the page sends the new subscription to the server the next time Duet is opened.
self.addEventListener('pushsubscriptionchange', ((event: ExtendableEvent & { oldSubscription?: PushSubscription }) => {
  const options = event.oldSubscription?.options
  if (options) event.waitUntil(self.registration.pushManager.subscribe(options))
}) as EventListener)
