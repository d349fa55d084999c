import type { Profile } from '@duet/contract/profiles.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { deckKey } from '../../../cache/keys.ts'
import { aDeck, anAnswer, aProfile, likesToday, myDetails } from '../../../test/deck.ts'
import { mockEndpoint, problem, resetEndpoints } from '../../../test/mock-endpoint.ts'
import { renderPage } from '../../../test/render.tsx'
import { useProfile } from '../../profiles/profiles.ts'
import { DecisionBar } from '../discovery.tsx'

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

test('A like is confirmed and can be undone', async () => {
  const { user, decided, takenBack } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Like' }))
  expect(await screen.findByText('You like Ines.')).toBeTruthy()
  expect(decided[0]?.body).toEqual({ decision: 'like' })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByRole('button', { name: 'Like' })
  expect(takenBack).toHaveLength(1)
})

test('A like can be sent with a comment', async () => {
  const { user, decided } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Like with a comment' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Like Ines' }))
  await user.type(dialog.getByRole('textbox', { name: 'Add a comment' }), 'Hello there')
  await user.click(dialog.getByRole('button', { name: 'Like' }))
  await waitFor(() => expect(decided[0]?.body).toEqual({ decision: 'like', comment: 'Hello there' }))
})

test('Closing the comment dialog returns the focus', async () => {
  const { user } = await draw()
  const open = await screen.findByRole('button', { name: 'Like with a comment' })
  await user.click(open)
  const dialog = within(await screen.findByRole('dialog', { name: 'Like Ines' }))
  expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: 'Add a comment' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(open))
})

test('A pass can be changed to a like', async () => {
  const { user, decided } = await draw({ myDecision: 'pass' })
  expect(await screen.findByText('You passed on Ines.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Like' }))
  await waitFor(() => expect(decided.map(({ body }) => body)).toEqual([{ decision: 'like' }]))
})

test.each([
  ['their location is missing', { area: null }, /Add your location first/, 'Add location'],
  ['they paused their profile', { paused: true }, /Your profile is paused/, 'Show me again'],
  [
    'their filters leave the person out',
    { ageMax: 30 },
    'Ines is outside your filters. Widen them first.',
    'Change filters',
  ],
  [
    'it is not theirs to know',
    {},
    /Your filters and theirs don’t match, or Ines has no location yet/,
    'Change filters',
  ],
])('People who can’t like someone are told why, and what helps: %s', async (_, mine, why, mends) => {
  mockEndpoint('GET /api/user/myDetails', () => myDetails(mine))
  await draw({ canLike: false })
  expect(await screen.findByRole('button', { name: mends })).toBeTruthy()
  const like = screen.getByRole<HTMLButtonElement>('button', { name: 'Like' })
  expect(like.disabled).toBe(true)
  expect(document.getElementById(like.getAttribute('aria-describedby') ?? '')).toBe(screen.getByText(why))
})

test('People who show their profile again can like immediately', async () => {
  let mine = myDetails({ paused: true })
  mockEndpoint('GET /api/user/myDetails', () => mine)
  const { user } = await draw({ canLike: false })
  const changed = mockEndpoint('PATCH /api/user/updateUser', () => {
    mine = myDetails({ paused: false })
    return mine
  })
  mockEndpoint('GET /api/user/:id', () => aProfile('Ines'))
  await user.click(await screen.findByRole('button', { name: 'Show me again' }))
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Like' }).disabled).toBe(false))
  expect(changed[0]?.body).toEqual({ paused: false })
})

test('People who have used all likes of the day are told when they get more', async () => {
  const { queryClient } = await draw()
  await screen.findByRole('button', { name: 'Like' })
  act(() => void queryClient.setQueryData(deckKey, aDeck([], { today: likesToday(100) })))
  expect(await screen.findByText(/You’ve used today’s 100 likes/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Like' }).disabled).toBe(true)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Pass' }).disabled).toBe(false)
})

test('The decision bar is empty after a match', async () => {
  const { container } = await draw({ matched: true })
  await waitFor(() => expect(container.querySelector('output')).toBeTruthy())
  expect(screen.queryByRole('button')).toBeNull()
})

test('A refused like is rolled back', async () => {
  const { user } = await draw()
  mockEndpoint('PUT /api/decisions/:userId', () => problem(409, 'conflict'))
  await user.click(await screen.findByRole('button', { name: 'Like' }))
  expect(await screen.findByText(/That’s no longer possible/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Like' })).toBeTruthy()
})

test('Without a connection the comment of a like is kept', async () => {
  const { user, decided } = await draw()
  await user.click(await screen.findByRole('button', { name: 'Like with a comment' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Like Ines' }))
  await user.type(dialog.getByRole('textbox', { name: 'Add a comment' }), 'Hello')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await user.click(dialog.getByRole('button', { name: 'Like' }))
  expect(await screen.findByText('You’re offline, so nothing was sent.')).toBeTruthy()
  expect(dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Add a comment' }).value).toBe('Hello')
  expect(decided).toEqual([])
})

test('A refused like restores the earlier decision', async () => {
  const { user } = await draw({ myDecision: 'later' })
  await screen.findByText('You saved Ines for later.')
  mockEndpoint('PUT /api/decisions/:userId', () => problem(409, 'conflict'))
  mockEndpoint('GET /api/user/:id', () => new Promise<never>(() => undefined))
  await user.click(screen.getByRole('button', { name: 'Like' }))
  expect(await screen.findByText(/That’s no longer possible/)).toBeTruthy()
  expect(screen.getByText('You saved Ines for later.')).toBeTruthy()
})

test('If two decisions both fail, neither shows', async () => {
  const { user } = await draw()
  const answers: (() => void)[] = []
  mockEndpoint(
    'PUT /api/decisions/:userId',
    () => new Promise((resolve) => void answers.push(() => resolve(problem(409, 'conflict')))),
  )
  await user.click(await screen.findByRole('button', { name: 'Pass' }))
  await user.click(await screen.findByRole('button', { name: 'Later' }))
  mockEndpoint('GET /api/user/:id', () => new Promise<never>(() => undefined))
  for (const turn of [0, 1]) {
    await waitFor(() => expect(answers.length).toBeGreaterThan(turn))
    await act(async () => answers[turn]?.())
  }
  await waitFor(() => expect(screen.queryByText(/You (put|passed)/)).toBeNull())
})

test('Undoing a like that the server then refuses restores the earlier decision', async () => {
  const { user, queryClient } = await draw({ myDecision: 'pass' })
  const takenBack = mockEndpoint('DELETE /api/decisions/:userId', () => ({ ok: true }))
  let refuse: () => void = () => undefined
  mockEndpoint(
    'PUT /api/decisions/:userId',
    () =>
      new Promise((resolve) => {
        refuse = () => resolve(problem(409, 'daily_limit_reached'))
      }),
  )
  await user.click(await screen.findByRole('button', { name: 'Like' }))
  await screen.findByText('You like Ines.')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await act(async () => refuse())
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
  expect(takenBack).toEqual([])
  expect(await screen.findByText('You passed on Ines.')).toBeTruthy()
})
