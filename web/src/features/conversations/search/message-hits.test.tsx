import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { mockEndpoint } from '../../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { message } from '../talk.test-people.ts'
import { MessageHits } from './message-hits.tsx'
import { useMessageSearch } from './use-message-search.ts'

function Hits() {
  return <MessageHits search={useMessageSearch('tea')} label="Messages" onChoose={() => undefined} />
}

function Search() {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(!open)}>
        toggle
      </button>
      {open && <Hits />}
    </>
  )
}

test('A search result from someone else is folded if it contains a hidden word, and my own isn’t', async () => {
  signInAs(jun)
  const user = { id: 'u_maya', name: 'Maya', photo: null, isOnline: false, isTyping: false }
  const said = (seq: number, senderId: string, text: string) => message(seq, { senderId, message: text })
  mockEndpoint('GET /api/messages/search', () => ({
    hits: [
      { user, message: said(1, 'u_maya', 'Tea and a Scandal') },
      { user, message: said(2, 'u_maya', 'Green tea') },
      { user, message: said(3, jun.id, 'No scandal with tea') },
    ],
    nextCursor: null,
  }))
  await renderPage(<Hits />, { texts: ['conversations'], privacy: { hiddenWords: ['scandal'] } })
  expect(await screen.findByText(/Hidden by your hidden words/)).toBeTruthy()
  const texts = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(texts[0]).not.toMatch(/scandal|tea/i)
  expect(texts.slice(1)).toEqual([expect.stringContaining('Green tea'), expect.stringContaining('No scandal with tea')])
})

test('A long search result shows the part that matches', async () => {
  signInAs(jun)
  const user = { id: 'u_maya', name: 'Maya', photo: null, isOnline: false, isTyping: false }
  const text = `${'a long story '.repeat(30)}and then we had tea`
  mockEndpoint('GET /api/messages/search', () => ({
    hits: [{ user, message: message(1, { senderId: 'u_maya', message: text }) }],
    nextCursor: null,
  }))
  await renderPage(<Hits />, { texts: ['conversations'] })
  const found = await screen.findByText('tea')
  expect(found.tagName).toBe('MARK')
})

test('Earlier search results aren’t shown while a new search runs', async () => {
  signInAs(jun)
  const user = { id: 'u_maya', name: 'Maya', photo: null, isOnline: false, isTyping: false }
  const found = {
    hits: [{ user, message: message(1, { senderId: 'u_maya', message: 'Green tea' }) }],
    nextCursor: null,
  }
  mockEndpoint('GET /api/messages/search', () => found)
  const { user: hand } = await renderPage(<Search />, { texts: ['conversations'] })
  await screen.findByRole('listitem')
  const toggle = screen.getByRole('button', { name: 'toggle' })
  await hand.click(toggle)
  mockEndpoint('GET /api/messages/search', () => new Promise<never>(() => undefined))
  await hand.click(toggle)
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('An empty page of search results loads the next one automatically', async () => {
  signInAs(jun)
  const user = { id: 'u_maya', name: 'Maya', photo: null, isOnline: false, isTyping: false }
  const cursors: unknown[] = []
  mockEndpoint('GET /api/messages/search', ({ url }) => {
    cursors.push(url.searchParams.get('cursor'))
    if (cursors.length < 3) return { hits: [], nextCursor: `after ${cursors.length}` }
    return { hits: [{ user, message: message(1, { senderId: 'u_maya', message: 'Green tea' }) }], nextCursor: null }
  })
  await renderPage(<Hits />, { texts: ['conversations'] })
  expect((await screen.findByRole('listitem')).textContent).toContain('Green tea')
  expect(cursors).toEqual([null, 'after 1', 'after 2'])
})
