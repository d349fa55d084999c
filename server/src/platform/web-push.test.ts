import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PushService, startPushService } from '../test/push-service.ts'
import { isPublic, mayPushTo, newSenderKeys, sendPush } from './web-push.ts'

let service: PushService
beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service.close())

const sender = { ...newSenderKeys(), contact: 'mailto:post@duet.example' }
const push = { text: '{}', topic: 'topic', ttl: 60, urgency: 'normal' } as const
const flat = ({ subscription }: ReturnType<PushService['newBrowser']>) => ({
  endpoint: subscription.endpoint,
  ...subscription.keys,
})

it.each([
  'http://push.example/1',
  'ftp://push.example/1',
  'https://127.0.0.1/1',
  'https://[::1]/1',
  'https://[::ffff:10.0.0.1]/1',
  'https://10.0.0.1/1',
  'https://2130706433/1',
  'https://0x7f.1/1',
  'https://localhost/1',
  'https://intranet/1',
  'https://user:word@push.example/1',
  'https://push.example:22/1',
  'https://localhost./1',
  'https://push.example./1',
  'https://push..example/1',
  'https://duet.localhost/1',
])('The endpoint %s is not allowed for pushes', (endpoint) => {
  expect(mayPushTo(endpoint, [])).toBe(false)
})

it('With a list of push hosts, no other host is allowed', () => {
  const hosts = ['fcm.googleapis.com', '*.push.apple.com']
  expect(mayPushTo('https://fcm.googleapis.com/fcm/send/1', hosts)).toBe(true)
  expect(mayPushTo('https://web.push.apple.com/1', hosts)).toBe(true)
  expect(mayPushTo('https://push.apple.com.evil.example/1', hosts)).toBe(false)
  expect(mayPushTo('https://evilpush.apple.com.example/1', hosts)).toBe(false)
  expect(mayPushTo('https://notpush.apple.com/1', hosts)).toBe(false)
  expect(mayPushTo('https://updates.push.services.mozilla.com/1', hosts)).toBe(false)
})

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '::1',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1',
  '64:ff9b::a00:1',
  '::127.0.0.1',
  '100:0:0:1::1',
])('The address %s is not public', (address) => {
  expect(isPublic(address)).toBe(false)
})

it('A push host without a public address is not connected to', async () => {
  const before = service.requests()
  expect(isPublic('203.0.114.1')).toBe(true)
  const browser = flat(service.newBrowser())
  for (const name of ['localhost.localdomain', 'push.invalid'])
    expect(await sendPush({ ...browser, endpoint: `https://${name}/1` }, sender, push, [])).toBe('failed')
  expect(service.requests()).toBe(before)
})

it('Push requests follow no redirects', async () => {
  const [first, second] = [service.newBrowser(), service.newBrowser()]
  service.redirect(second.subscription.endpoint)
  expect(await sendPush(flat(first), sender, push, ['localhost'])).toBe('failed')
  expect(second.received).toEqual([])
})

it('A push with invalid keys fails without throwing', async () => {
  const odd = { ...flat(service.newBrowser()), p256dh: 'B'.repeat(87) }
  expect(await sendPush(odd, sender, push, ['localhost'])).toBe('failed')
})

it('A push host on a private network works if the operator lists it', async () => {
  const browser = service.newBrowser()
  expect(await sendPush(flat(browser), sender, push, ['localhost'])).toBe('sent')
  expect(browser.received[0]?.token.sub).toBe('mailto:post@duet.example')
  browser.status = 404
  expect(await sendPush(flat(browser), sender, push, ['localhost'])).toBe('gone')
})
