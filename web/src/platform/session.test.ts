import { afterEach, expect, test } from 'vitest'
import { mockEndpoint, resetEndpoints } from '../test/mock-endpoint.ts'
import { jun, signInAs } from '../test/render.tsx'
import { followOtherTabs, useSession } from './session.ts'

afterEach(resetEndpoints)
const stored = () => localStorage.getItem('user')
const session = () => useSession.getState()

test('the whole sign-in response is stored under the key user', () => {
  signInAs(null)
  const answer = { ...jun, nickname: 'J' }
  expect(session().signIn(answer)).toBe(true)
  expect(JSON.parse(stored() ?? '')).toEqual(answer)
  expect(session().user).toEqual(answer)
})

test.each([
  ['only an id and a token', { id: 'u_jun', token: 'secret' }],
  ['fields of the wrong type', { id: 'u_jun', token: 'secret', name: 5, email: null, images: 'me.webp' }],
])('a stored user with %s gets empty values that screens can render', (_what, value) => {
  const stop = followOtherTabs()
  localStorage.setItem('user', JSON.stringify(value))
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  const drawable = { ...value, name: '', email: '', images: [] }
  expect(session().user).toEqual(drawable)
  expect(JSON.parse(stored() ?? '')).toEqual(value)
  session().signIn(value)
  expect(session().user).toEqual(drawable)
  stop()
})

test('a sign-in response without a token isn’t stored', () => {
  signInAs(null)
  expect(session().signIn({ ...jun, token: '' })).toBe(false)
  expect(session().signIn({ id: 'u_jun' })).toBe(false)
  expect(stored()).toBeNull()
  expect(session().user).toBeNull()
})

test('signing out removes the stored user, clears the one in memory and revokes the token', async () => {
  signInAs(jun)
  const calls = mockEndpoint('POST /api/user/signOut', () => ({ ok: true }))
  await session().signOut()
  expect(stored()).toBeNull()
  expect(session().user).toBeNull()
  expect(calls[0]?.headers.get('authorization')).toBe('Bearer secret')
})

test('signing out works without the server', async () => {
  signInAs(jun)
  mockEndpoint('POST /api/user/signOut', () => {
    throw new TypeError('offline')
  })
  await session().signOut()
  expect(session().user).toBeNull()
})

test('a suspension doesn’t carry over to the next person who signs in, here or in another tab', () => {
  const stop = followOtherTabs()
  const maya = { ...jun, id: 'u_maya', token: 'hers' }
  signInAs(jun)
  session().setSuspended(true)
  session().signIn({ ...jun, token: 'newer' })
  expect(session().suspended).toBe(true)
  session().signIn(maya)
  expect(session().suspended).toBe(false)
  session().setSuspended(true)
  localStorage.setItem('user', JSON.stringify(jun))
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  expect([session().user?.id, session().suspended]).toEqual(['u_jun', false])
  stop()
})

test('amending the stored user changes nothing if another person is signed in', () => {
  signInAs(jun)
  session().amend('u_maya', { name: 'Maya' })
  expect(session().user?.name).toBe('Jun')
  session().amend('u_jun', { name: 'Juno' })
  expect(session().user?.name).toBe('Juno')
})

test('signing out in another tab signs this tab out too', () => {
  signInAs(jun)
  const stop = followOtherTabs()
  localStorage.removeItem('user')
  window.dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  expect(session().user).toBeNull()
  stop()
})
