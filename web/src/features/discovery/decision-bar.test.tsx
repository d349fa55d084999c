import type { Profile } from '@duet/contract/profiles.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { anAnswer, aProfile } from '../../test/deck.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { renderPage } from '../../test/render.tsx'
import { useProfile } from '../profiles/profiles.ts'
import { DecisionBar } from './discovery.tsx'

afterEach(resetEndpoints)

function Bar() {
  const { data } = useProfile('ines')
  return data ? <DecisionBar user={data} /> : null
}

async function draw(changes: Partial<Profile> = {}) {
  let ines = aProfile('Ines', changes)
  mockEndpoint('GET /api/user/:id', () => ines)
  const decided = mockEndpoint('PUT /api/decisions/:userId', ({ body }) => {
    const { decision } = body as { decision: 'like' }
    ines = { ...ines, myDecision: decision }
    return anAnswer(decision)
  })
  const takenBack = mockEndpoint('DELETE /api/decisions/:userId', () => {
    ines = { ...ines, myDecision: null }
    return { ok: true }
  })
  const page = await renderPage(<Bar />, { texts: ['discovery', 'profiles', 'ui'] })
  return { ...page, decided, takenBack }
}

test('a like is told, and can be taken back', async () => {
  const { user, decided, takenBack } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Like' }))
  expect(await screen.findByText('You like Ines.')).toBeTruthy()
  expect(decided[0]?.body).toEqual({ decision: 'like' })
  await user.click(screen.getByRole('button', { name: 'Take back' }))
  await screen.findByRole('button', { name: 'Like' })
  expect(takenBack).toHaveLength(1)
})

test('a like goes with a comment', async () => {
  const { user, decided } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Like with a comment' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Like Ines' }))
  await user.type(dialog.getByRole('textbox', { name: 'Add a comment' }), 'Hello there')
  await user.click(dialog.getByRole('button', { name: 'Like' }))
  await waitFor(() => expect(decided[0]?.body).toEqual({ decision: 'like', comment: 'Hello there' }))
})

test('whoever closes the comment finds the focus where they left it', async () => {
  const { user } = await draw()
  const open = await screen.findByRole('button', { name: 'Like with a comment' })
  await user.click(open)
  const dialog = within(await screen.findByRole('dialog', { name: 'Like Ines' }))
  expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Add a comment' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(open))
})

test('a pass can become a like', async () => {
  const { user, decided } = await draw({ myDecision: 'pass' })
  expect(await screen.findByText('You passed on Ines.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Like' }))
  await waitFor(() => expect(decided.map(({ body }) => body)).toEqual([{ decision: 'like' }]))
})

test('whoever cannot be liked now is not, and the page says so', async () => {
  await draw({ canLike: false })
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Like' })).disabled).toBe(true)
  expect(screen.getByText('Ines cannot be liked right now.')).toBeTruthy()
})

test('after a match there is nothing to decide', async () => {
  const { container } = await draw({ matched: true })
  await waitFor(() => expect(container.querySelector('output')).toBeTruthy())
  expect(screen.queryByRole('button')).toBeNull()
})

test('a refused like is not shown as one', async () => {
  const { user } = await draw()
  mockEndpoint('PUT /api/decisions/:userId', () => problem(409, 'conflict'))
  await user.click(await screen.findByRole('button', { name: 'Like' }))
  expect(await screen.findByText(/This did not fit any more/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Like' })).toBeTruthy()
})
