import type { OwnPhoto } from '@duet/contract/photos.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { myDetails } from '../../test/deck.ts'
import { mockEndpoint, resetEndpoints } from '../../test/mock-endpoint.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { PhotoEditor } from './photos.tsx'

beforeEach(() => signInAs(jun))
afterEach(resetEndpoints)

const photo = (fileName: string): OwnPhoto => ({
  ...{ fileName, url: `/media/${fileName}?x`, alt: fileName, width: 3, height: 4, blurhash: '', state: 'approved' },
})

test('a photo that is moved before the last move was kept begins where that one led', async () => {
  let answer: () => void = () => undefined
  const sent = mockEndpoint('PATCH /api/user/updateUser', async () => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return myDetails()
  })
  const { user } = await renderPage(<PhotoEditor photos={['a', 'b', 'c'].map(photo)} />, { texts: ['photos'] })
  const moveFirst = async () => {
    await user.click(await screen.findByRole('button', { name: /photo 1/i }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move later' }))
  }
  await moveFirst()
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ images: ['b', 'a', 'c'] }))
  await moveFirst()
  answer()
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]?.body).toEqual({ images: ['a', 'b', 'c'] })
})
