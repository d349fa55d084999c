import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import EmojiPicker from './emoji-picker.tsx'
import { readKeptEmoji } from './kept-emoji.ts'

const onChoose = vi.fn()

beforeEach(() => {
  localStorage.clear()
  onChoose.mockReset()
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  signInAs(jun)
})

async function draw() {
  const page = await renderPage(<EmojiPicker onChoose={onChoose} />, { texts: ['thread'] })
  const search = await screen.findByRole('searchbox', { name: 'Search emoji' })
  return { ...page, search }
}
const group = (name: string) =>
  screen.getByRole('navigation', { name: 'Kinds of emoji' }).querySelector(`[title="${name}"]`)!

it('Enter chooses the first emoji found by its name', async () => {
  const { user, search } = await draw()
  await user.type(search, 'pizza')
  await screen.findByRole('list', { name: 'Emoji found' })
  await screen.findByTitle('pizza')
  await user.keyboard('{Enter}')
  expect(onChoose).toHaveBeenCalledWith('🍕', false)
})

it('An emoji search without results shows a message', async () => {
  const { user, search } = await draw()
  await user.type(search, 'qqqq')
  expect(await screen.findByText('No emoji by that name.')).toBeTruthy()
})

it('The arrow keys lead from the search field into the emoji and back', async () => {
  const { user, search } = await draw()
  await screen.findByTitle('grinning face')
  search.focus()
  await user.keyboard('{ArrowDown}')
  const [first, second] = screen.getByRole('list', { name: 'Smileys' }).querySelectorAll('button')
  expect(document.activeElement).toBe(first)
  await user.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(second)
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe(search)
})

it('Recent emoji and the skin tone are remembered until the person signs out', async () => {
  const { user, unmount } = await draw()
  await user.click(screen.getByLabelText('Skin tone: default'))
  await user.click(screen.getByLabelText('dark'))
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Skin tone: dark'))
  await user.click(group('People and hands'))
  await user.click(await screen.findByTitle('thumbs up'))
  expect(onChoose).toHaveBeenCalledWith('👍🏿', false)
  unmount()
  await draw()
  const recent = within(await screen.findByRole('list', { name: 'Recently used' }))
  expect((await recent.findAllByRole('button')).map(({ textContent }) => textContent)).toEqual(['👍🏿'])
  signInAs(jun)
  expect(readKeptEmoji()).toEqual({ recent: [], tone: 0 })
})
