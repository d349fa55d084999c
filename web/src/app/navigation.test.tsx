import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { conversationsKey } from '../cache/keys.ts'
import { conversation } from '../features/conversations/talk.test-people.ts'
import { mockEndpoint, problem, resetEndpoints } from '../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../test/render.tsx'
import { BottomTabs, NavigationBar } from './navigation.tsx'

beforeEach(() => {
  mockEndpoint('GET /api/notifications', () => ({ notifications: [] }))
  mockEndpoint('GET /api/messages/history', () => [])
  mockEndpoint('GET /api/likes', () => ({ likes: [], count: 3, nextCursor: null }))
  mockEndpoint('GET /api/user/myDetails', () => problem(503, 'unavailable'))
})
afterEach(resetEndpoints)

async function draw(path = '/home') {
  const page = await renderPage(<NavigationBar />, { path, texts: ['common', 'notifications'] })
  return { ...page, bar: within(screen.getByRole('navigation', { name: 'Main' })) }
}
const address = () => screen.getByTestId('address').textContent

test('the title "Duet" links to the home screen', async () => {
  signInAs(jun)
  const { user, bar } = await draw('/settings')
  await user.click(bar.getByRole('link', { name: 'Duet' }))
  expect(address()).toBe('/home')
})

test('the avatar links to the person’s own profile', async () => {
  signInAs(jun)
  const { user, bar } = await draw()
  await user.click(bar.getByRole('link', { name: 'Your profile' }))
  expect(address()).toBe('/profile/u_jun')
})

test('without a stored user, the bar has no link to a profile', async () => {
  signInAs(null)
  const { bar } = await draw()
  expect(bar.queryByRole('link', { name: 'Your profile' })).toBeNull()
})

test('the "Likes" link shows the number of waiting likes', async () => {
  signInAs(jun)
  const { user, bar } = await draw()
  await user.click(await bar.findByRole('link', { name: 'Likes 3' }))
  expect(address()).toBe('/likes')
})

test('the "Chats" link shows the number of unread messages', async () => {
  signInAs(jun)
  const { bar, queryClient } = await draw()
  expect(bar.getByRole('link', { name: 'Chats' })).toBeTruthy()
  act(() => void queryClient.setQueryData(conversationsKey, [conversation('maya', { unreadCount: 2 })]))
  expect(await bar.findByRole('link', { name: 'Chats 2' })).toBeTruthy()
})

test('the tabs at the bottom are Discover, Likes, Chats and Me', async () => {
  signInAs(jun)
  await renderPage(<BottomTabs />)
  const tabs = within(screen.getByRole('navigation', { name: 'Sections' }))
  await tabs.findByRole('link', { name: /3/ })
  expect(tabs.getAllByRole('link').map((link) => link.textContent)).toEqual(['Discover', '3Likes', 'Chats', 'Me'])
})

test('the bar contains the notifications bell', async () => {
  signInAs(jun)
  const { bar } = await draw()
  expect(bar.getByRole('button', { name: 'Notifications' })).toBeTruthy()
})

test('only a super administrator sees the link to moderation', async () => {
  signInAs(jun)
  expect((await draw()).bar.queryAllByRole('link', { name: 'Moderation' })).toEqual([])
  document.body.innerHTML = ''
  signInAs({ ...jun, isSuperAdmin: true })
  expect((await draw()).bar.queryAllByRole('link', { name: 'Moderation' }).length).toBeGreaterThan(0)
})
