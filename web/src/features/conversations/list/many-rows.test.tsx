import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Profiler, useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import type { Conversation } from '../chat/conversation-list.ts'
import { keepDraft } from '../composer/drafts.ts'
import { conversation, message } from '../talk.test-people.ts'
import { RowList } from './row-list.tsx'
import { Scrolling } from './scrolling.tsx'

const people = (count: number): Conversation[] =>
  Array.from({ length: count }, (_, index) => conversation(`p${index}`, { lastMessage: message(1) }))
const acts = { onSelect: () => undefined, onMenu: () => undefined }

beforeAll(() => import('./many-rows.tsx'))
beforeEach(() => {
  signInAs({ ...jun, id: 'me' })
  const isScroller = (element: HTMLElement) => 'scroller' in element.dataset
  for (const size of ['offsetHeight', 'clientHeight'] as const)
    vi.spyOn(HTMLElement.prototype, size, 'get').mockImplementation(function (this: HTMLElement) {
      return isScroller(this) ? 600 : 76
    })
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(400)
})
afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

async function draw(list: readonly Conversation[]) {
  const drawn = vi.fn()
  const page = await renderPage(
    <Profiler id="rows" onRender={drawn}>
      <Scrolling>
        <RowList aria-label="People" list={list} {...acts} />
      </Scrolling>
    </Profiler>,
    { texts: ['conversations'] },
  )
  await waitFor(() => expect(rows()[0]?.getAttribute('aria-setsize')).toBe(String(list.length)))
  return { ...page, drawn }
}
const rows = () => within(screen.getByRole('list', { name: 'People' })).getAllByRole('listitem')

it('A long list renders only the rows near the visible ones, each with its position and the total', async () => {
  await draw(people(1_000))
  expect(rows().length).toBeLessThan(40)
  expect(
    rows()
      .map((row) => row.getAttribute('aria-posinset'))
      .slice(0, 3),
  ).toEqual(['1', '2', '3'])
})

it('The focused row stays in the page wherever the list is scrolled', async () => {
  await draw(people(1_000))
  const first = within(rows()[0]!).getAllByRole('button')[0]!
  act(() => first.focus())
  const scroller = first.closest<HTMLElement>('[data-scroller]')!
  scroller.scrollTop = 40_000
  fireEvent.scroll(scroller)
  await waitFor(() => expect(screen.getByText('p526')).toBeTruthy())
  expect(document.activeElement).toBe(first)
})

function Growing() {
  const [count, setCount] = useState(40)
  return (
    <Scrolling>
      <button type="button" onClick={() => setCount(count + 1)}>
        One more
      </button>
      <RowList aria-label="People" list={people(count)} {...acts} />
    </Scrolling>
  )
}

it('A focused row keeps focus when the list grows past the limit for virtualization', async () => {
  await renderPage(<Growing />, { texts: ['conversations'] })
  const grow = () => fireEvent.click(screen.getByText('One more'))
  const first = within(rows()[0]!).getAllByRole('button')[0]!
  act(() => first.focus())
  grow()
  expect(rows()).toHaveLength(41)
  expect(document.activeElement).toBe(first)
  act(() => first.blur())
  grow()
  await waitFor(() => expect(rows()[0]?.getAttribute('aria-setsize')).toBe('42'))
})

it('A draft for someone whose row is out of view rerenders nothing', async () => {
  const { drawn } = await draw(people(1_000))
  await waitFor(() => expect(screen.getByText('p0')).toBeTruthy())
  drawn.mockClear()
  act(() => keepDraft('p900', 'a letter'))
  expect(drawn).not.toHaveBeenCalled()
  act(() => keepDraft('p0', 'a letter'))
  expect(await screen.findByText('a letter')).toBeTruthy()
})
