import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { mockEndpoint, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { conversation, message } from '../talk.test-people.ts'
import { ConversationRows } from './conversation-rows.tsx'

const onSelect = vi.fn()
const name = 'Actions for your chat with Maya'

// Import the module in advance, so that the first test doesn't wait for the import.
beforeAll(() => import('./row-menu.tsx'))
beforeEach(() => {
  signInAs({ ...jun, id: 'me' })
  onSelect.mockReset()
  const user = { id: 'maya', name: 'Maya', photo: null, isOnline: false, isTyping: false }
  mockEndpoint('GET /api/messages/history', () => [conversation('maya', { user, lastMessage: message(1) })] as never)
  mockEndpoint('GET /api/matches', () => ({ matches: [] }))
})
afterEach(() => {
  vi.useRealTimers()
  resetEndpoints()
})

async function draw() {
  const page = await renderPage(<ConversationRows onSelect={onSelect} onNear={() => undefined} />, {
    texts: ['conversations', 'matches'],
  })
  const row = await screen.findByRole('button', { name: /^Maya/ })
  return { ...page, row, more: screen.getByRole('button', { name }) }
}

it('Tab and Enter open a row’s menu, the arrow keys move through it, and Escape returns to the button', async () => {
  const { user, row, more } = await draw()
  row.focus()
  await user.tab()
  expect(document.activeElement).toBe(more)
  await user.keyboard('{Enter}')
  const menu = await screen.findByRole('menu', { name })
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  await user.keyboard('{Home}{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Archive')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(more))
  expect(screen.queryByRole('menu')).toBeNull()
  expect(onSelect).not.toHaveBeenCalled()
})

it('The menu key opens a row’s menu, and the focus returns to the row', async () => {
  const { user, row } = await draw()
  row.focus()
  fireEvent.contextMenu(row, { clientX: 0, clientY: 0 })
  await screen.findByRole('menu', { name })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(row))
})

it('A long press opens a row’s menu, and a tap opens the conversation', async () => {
  const { row } = await draw()
  const finger = { pointerType: 'touch', clientX: 40, clientY: 60 }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  fireEvent.pointerDown(row, finger)
  act(() => void vi.advanceTimersByTime(500))
  fireEvent.pointerUp(row, finger)
  fireEvent.click(row)
  expect(await screen.findByRole('menu', { name })).toBeTruthy()
  expect(onSelect).not.toHaveBeenCalled()
  fireEvent.pointerDown(row, finger)
  act(() => void vi.advanceTimersByTime(100))
  fireEvent.pointerUp(row, finger)
  fireEvent.click(row)
  expect(onSelect).toHaveBeenCalledWith('maya')
})

it('An empty list is announced only once the server has answered', async () => {
  let answer: () => void = () => undefined
  const list = new Promise<void>((resolve) => (answer = resolve)).then(() => [])
  const asked = mockEndpoint('GET /api/messages/history', () => list)
  await renderPage(<ConversationRows onSelect={onSelect} onNear={() => undefined} />, {
    texts: ['conversations', 'matches'],
  })
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(screen.queryByText(/^No messages yet/)).toBeNull()
  answer()
  expect(await screen.findByText(/^No messages yet/)).toBeTruthy()
})

it('Closing the search or the archive returns focus to the button that opened it', async () => {
  // The test DOM doesn't know the `<search>` element, so React logs an error.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const noor = { id: 'noor', name: 'Noor', photo: null, isOnline: false, isTyping: false }
  const rows = [conversation('maya', { lastMessage: message(1) }), conversation('noor', { user: noor, archived: true })]
  mockEndpoint('GET /api/messages/history', () => rows as never)
  const { user } = await renderPage(<ConversationRows onSelect={onSelect} onNear={() => undefined} />, {
    texts: ['conversations', 'matches'],
  })
  const search = await screen.findByRole('button', { name: 'Search' })
  await user.click(search)
  await waitFor(() => expect(document.activeElement?.getAttribute('type')).toBe('search'))
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Search' }))
  await user.click(screen.getByRole('button', { name: /^Archived/ }))
  const back = await screen.findByRole('button', { name: 'Back to all chats' })
  expect(document.activeElement).toBe(back)
  await user.click(back)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Archived/ }))
})
