import 'fake-indexeddb/auto'
import { keys, set } from 'idb-keyval'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepFor } from '../../features/accounts/entry/kept.ts'
import { indexedDbStorage } from '../../features/conversations/chat/outbox/outbox-storage.ts'
import { keepDraft } from '../../features/conversations/composer/drafts.ts'
import { keepRecentEmoji } from '../../features/conversations/emoji/kept-emoji.ts'
import { waiting } from '../../features/conversations/talk.test-people.ts'
import { showBlurred } from '../../features/privacy/blur.ts'
import { keepProfileDraft } from '../../features/profiles/draft/profile-draft.ts'
import { keptKey } from '../../features/push/offered.ts'
import { eventually } from '../../test/eventually.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun } from '../../test/render.tsx'
import { call } from '../call.ts'
import { followOtherTabs, useSession } from '../session.ts'
import { deviceTexts } from '../storage.ts'
import { forgetOthers, ownTexts, textsOf } from './personal.ts'
import { personalStore } from './stores.ts'

const me = { ...jun, id: 'me' }
const maya = { ...jun, id: 'maya', token: 'hers' }
let stop: () => void

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  stop = followOtherTabs()
  useSession.getState().signIn(me)
})
afterEach(() => {
  stop()
  resetEndpoints()
})

async function storedRecords(): Promise<string[]> {
  const all: string[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const store = name === 'duet-outbox' ? personalStore('outbox') : personalStore('kept')
    all.push(...(await keys(store)).map((key) => `${name} ${key}`))
  }
  return all
}

async function leaveSomethingEverywhere() {
  for (const [key, text] of [
    ['theme', 'dark'],
    ['language', 'es'],
    ['home-mode', 'deck'],
    ['deck-keys', 'seen'],
    ['push-answered', 'yes'],
  ] as const)
    deviceTexts.write(key, text)
  deviceTexts.write(keptKey, '{"userId":"me"}')
  keepDraft('kofi', 'Half a message')
  keepRecentEmoji('👍')
  showBlurred(true)
  keepProfileDraft('me', { pronouns: { from: '', to: 'a private thought' } })
  keepFor('codeMail', { to: me.email })
  indexedDbStorage(personalStore('outbox')).keep(waiting('a1'))
  await set('me', [], personalStore('kept'))
  await eventually(async () => expect((await storedRecords()).sort()).toEqual(['duet-kept me', 'duet-outbox me a1']))
}

const inAnotherTab = (user: object | null) => {
  if (user) localStorage.setItem('user', JSON.stringify(user))
  else localStorage.removeItem('user')
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
}

test.each<[string, () => unknown]>([
  ['signing out', () => useSession.getState().signOut()],
  [
    'a 401 because the session or the account no longer exists',
    () => call('GET /api/user/myDetails').catch(() => undefined),
  ],
  ['signing out in another tab', () => inAnotherTab(null)],
  ['signing in as another person', () => useSession.getState().signIn(maya)],
  ['signing in as another person in another tab', () => inAnotherTab(maya)],
])('%s leaves nothing but device settings in storage', async (_, leave) => {
  mockEndpoint('POST /api/user/signOut', () => ({ ok: true }))
  mockEndpoint('GET /api/user/myDetails', () => problem(401, 'unauthenticated'))
  await leaveSomethingEverywhere()
  await leave()
  await eventually(async () => expect(await storedRecords()).toEqual([]))
  const choices = ['deck-keys', 'home-mode', 'language', 'push-answered', 'theme']
  expect(
    Object.keys(localStorage)
      .filter((key) => key !== 'user')
      .sort(),
  ).toEqual(choices)
  expect(localStorage.getItem('user') ?? '').not.toContain('"me"')
  expect(Object.keys(sessionStorage)).toEqual([])
  expect(document.documentElement.hasAttribute('data-blur-photos')).toBe(false)
})

test('opening a page deletes the data of everyone who is not signed in, and nothing else', async () => {
  await leaveSomethingEverywhere()
  for (const key of ['draft:kim:kofi', 'profile-draft:kim', 'emoji:kim', 'blurPhotos', 'other-app'])
    localStorage.setItem(key, 'x')
  await set('kim', [], personalStore('kept'))
  localStorage.setItem('unswept', 'yes')
  forgetOthers()
  await eventually(async () => expect((await storedRecords()).sort()).toEqual(['duet-kept me', 'duet-outbox me a1']))
  expect(Object.keys(localStorage).filter((key) => /kim|blurPhotos$|other/.test(key))).toEqual(['other-app'])
  expect(ownTexts().read('draft', 'kofi')).toBe('Half a message')
})

test('nothing can be stored for a person who is no longer signed in', () => {
  const texts = textsOf('me')
  useSession.getState().signIn(maya)
  expect(texts.write('draft', 'Too late', 'kofi')).toBe(false)
  expect(texts.read('draft', 'kofi')).toBeNull()
})
