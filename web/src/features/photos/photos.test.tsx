import type { OwnPhoto } from '@duet/contract/photos.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { myDetails } from '../../test/deck.ts'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { useOwnDetails } from '../accounts/accounts.ts'
import { PhotoEditor } from './photos.tsx'

beforeEach(() => signInAs(jun))
afterEach(resetEndpoints)

const photo = (fileName: string): OwnPhoto => ({
  ...{ fileName, url: `/media/${fileName}?x`, alt: fileName, width: 3, height: 4, blurhash: '', state: 'approved' },
})

test('A photo moved before the last move was saved starts from the order on screen', async () => {
  let answer: () => void = () => undefined
  const sent = mockEndpoint('PATCH /api/user/updateUser', async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return myDetails()
  })
  const { user } = await renderPage(<PhotoEditor photos={['a', 'b', 'c'].map(photo)} />, { texts: ['photos'] })
  const moveFirst = async () => {
    await user.click(await screen.findByRole('button', { name: 'Change photo 1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move later' }))
  }
  await moveFirst()
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ images: ['b', 'a', 'c'] }))
  await moveFirst()
  answer()
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]?.body).toEqual({ images: ['a', 'b', 'c'] })
})

test('A moved photo announces its new place and keeps the focus', async () => {
  mockEndpoint('PATCH /api/user/updateUser', () => new Promise<never>(() => undefined))
  const { user } = await renderPage(<PhotoEditor photos={['a', 'b', 'c'].map(photo)} />, { texts: ['photos'] })
  await user.click(await screen.findByRole('button', { name: 'Change photo 3' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Move earlier' }))
  expect(await screen.findByText('This photo is now 2 of 3.')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change photo 2' })))
})

test('Each photo can be picked up with the keyboard and explains how', async () => {
  await renderPage(<PhotoEditor photos={['a', 'b'].map(photo)} />, { texts: ['photos'] })
  const grip = screen.getByRole('button', { name: 'Your photo 1' })
  expect(grip.tabIndex).toBe(0)
  const how = document.getElementById(grip.getAttribute('aria-describedby') ?? '')
  expect(how?.textContent).toContain('press Space, then the arrow keys')
})

test('A photo that waits for review says whether others can see it', async () => {
  const photos = [
    photo('a'),
    ...[true, false].map((visible) => ({ ...photo(`${visible}`), state: 'pending' as const, visible })),
  ]
  await renderPage(<PhotoEditor photos={photos} />, { texts: ['photos'] })
  expect(screen.getAllByText(/moderator/).map(({ textContent }) => textContent)).toEqual([
    'Visible to others. A moderator will still check it.',
    'Only you see it until a moderator has checked it.',
  ])
})

const Own = () => <PhotoEditor photos={useOwnDetails().data?.photos ?? []} />

test('a description that another device saved meanwhile is shown, not overwritten', async () => {
  let alt = 'On a bench'
  mockEndpoint('GET /api/user/myDetails', () => myDetails({ photos: [{ ...photo('a'), alt }] }))
  const { user, queryClient } = await renderPage(<Own />, { texts: ['photos', 'ui'] })
  await user.click(await screen.findByRole('button', { name: 'Change photo 1' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Describe this photo' }))
  const field = await screen.findByRole('textbox')
  alt = 'On a bench in Porto'
  await act(() => queryClient.invalidateQueries())
  await waitFor(() => expect(field).toHaveProperty('value', alt))
})

test('a deleted description asks before it is lost', async () => {
  mockEndpoint('GET /api/user/myDetails', () => myDetails({ photos: [{ ...photo('a'), alt: 'On a bench' }] }))
  const { user } = await renderPage(<Own />, { texts: ['photos', 'ui'] })
  await user.click(await screen.findByRole('button', { name: 'Change photo 1' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Describe this photo' }))
  await user.clear(await screen.findByRole('textbox'))
  await user.keyboard('{Escape}')
  expect(await screen.findByText('Discard your changes?')).toBeTruthy()
})
