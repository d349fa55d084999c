import { afterEach, expect, test, vi } from 'vitest'
import { openStorage } from '../features/conversations/chat/outbox/outbox-storage.ts'
import { readDraft } from '../features/conversations/composer/drafts.ts'
import { waiting } from '../features/conversations/talk.test-people.ts'
import { jun, signInAs } from '../test/render.tsx'
import { detectLanguage } from './i18n.ts'
import { permitted } from './permitted.ts'
import { personalStore } from './personal/stores.ts'
import { useSession } from './session.ts'
import { allTexts } from './storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  allTexts.remove('user')
})
const forbidden = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}
/** Imitates browsers that block all cookies, where every access to storage throws. */
function forbidStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    vi.stubGlobal(name, new Proxy({}, { get: forbidden, ownKeys: forbidden }))
  vi.stubGlobal('indexedDB', { open: forbidden })
}
function fillStorage(): void {
  const full = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  const real = localStorage
  const get = (_: object, name: string) =>
    name === 'setItem'
      ? full
      : Reflect.get(real, name) instanceof Function
        ? Reflect.get(real, name).bind(real)
        : undefined
  vi.stubGlobal('localStorage', new Proxy({}, { get, ownKeys: () => Object.keys(real) }))
}

test('where storage is blocked, values last as long as the page', async () => {
  forbidStorage()
  signInAs(jun)
  expect(useSession.getState()).toMatchObject({ user: jun, remembered: false })
  expect([detectLanguage(undefined, ['es']), readDraft('maya')]).toEqual(['es', ''])
  expect(allTexts.write('note', 'mine')).toBe(false)
  expect([allTexts.read('note'), allTexts.keys()]).toEqual(['mine', ['user', 'unswept', 'note']])
  allTexts.remove('note')
  expect(allTexts.read('note')).toBeNull()
  const storage = openStorage(permitted(() => indexedDB && personalStore('outbox')))
  storage.keep(waiting('a1'))
  storage.drop(waiting('a1'))
  expect(await storage.list('me')).toEqual([])
  await storage.clear('me')
})

test('where storage is full, signing in works and removes the previous person’s session', () => {
  signInAs({ ...jun, id: 'u_maya', token: 'hers' })
  expect(useSession.getState().remembered).toBe(true)
  fillStorage()
  useSession.getState().signIn(jun)
  expect(useSession.getState()).toMatchObject({ user: jun, remembered: false })
  useSession.getState().amend(jun.id, { name: 'Juno' })
  expect(useSession.getState().user?.name).toBe('Juno')
  vi.unstubAllGlobals()
  expect(localStorage.getItem('user')).toBeNull()
})

test('where storage is full, amending the user keeps the older version for other tabs and the next page', () => {
  signInAs(jun)
  fillStorage()
  useSession.getState().amend(jun.id, { name: 'Juno' })
  expect(useSession.getState()).toMatchObject({ user: { name: 'Juno' }, remembered: true })
  vi.unstubAllGlobals()
  expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ id: jun.id, name: 'Jun' })
})

test('overwriting a value never removes it first, because other tabs would take that for signing out', () => {
  signInAs(jun)
  const real = localStorage
  const acts: string[] = []
  const get = (_: object, name: string) => {
    const value = Reflect.get(real, name)
    if (!(value instanceof Function)) return value
    return (...args: unknown[]) => {
      if (name !== 'getItem') acts.push(name)
      return value.apply(real, args)
    }
  }
  vi.stubGlobal('localStorage', new Proxy({}, { get }))
  useSession.getState().amend(jun.id, { name: 'Juno' })
  expect(acts).toEqual(['setItem'])
})
