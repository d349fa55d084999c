import type { OwnPhoto } from '@duet/contract/photos.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { resetEndpoints } from '../../test/mock-endpoint.ts'
import { pictureFile } from '../../test/picture-file.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { type SeenUpload, watchUploads } from '../../test/uploads.ts'
import { PhotoEditor } from './photos.tsx'

// Import the module in advance, so that the first test doesn't wait for the import.
beforeAll(() => import('./crop/crop-dialog.tsx'))

let uploads: SeenUpload[]
const sizes = new Map<string, [number, number]>()

beforeEach(() => {
  signInAs(jun)
  uploads = watchUploads()
  vi.stubGlobal('createImageBitmap', async ({ name }: File) => {
    const [width, height] = sizes.get(name) ?? []
    if (!width) throw new Error('not a picture')
    return { width, height, close: () => undefined }
  })
})
afterEach(resetEndpoints)

function picture(name: string, width: number, height: number): File {
  sizes.set(name, [width, height])
  return pictureFile(name, 'jpeg', name, 'image/jpeg')
}
const photo = (fileName: string): OwnPhoto => ({
  ...{ fileName, url: `/media/${fileName}?x`, alt: fileName, width: 3, height: 4, blurhash: '', state: 'approved' },
})
async function draw(...photos: OwnPhoto[]) {
  const page = await renderPage(<PhotoEditor photos={photos} />, { texts: ['photos', 'ui'] })
  const pick = (...files: File[]) => page.user.upload(screen.getByLabelText('Add a photo'), files)
  return { ...page, pick }
}
const sent = () => uploads.map(({ form }) => form.getAll('file').map((file) => (file as File).name))

test('A photo in the shape of a card is added without a question', async () => {
  const { pick } = await draw()
  await pick(picture('portrait.jpg', 1200, 1600))
  await waitFor(() => expect(sent()).toEqual([['portrait.jpg']]))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('A photo that is too small is rejected before the upload', async () => {
  const { pick } = await draw()
  await pick(picture('tiny.jpg', 640, 120), picture('fine.jpg', 600, 800))
  expect((await screen.findByRole('alert')).textContent).toContain('at least 200 pixels')
  await waitFor(() => expect(sent()).toEqual([['fine.jpg']]))
})

test('Photos are opened one at a time, and a file that isn’t a photo is rejected with a message', async () => {
  let open = 0
  vi.stubGlobal('createImageBitmap', async () => {
    open += 1
    const most = open
    await Promise.resolve()
    open -= 1
    if (most > 1) throw new Error('more than one is open')
    return { width: 600, height: 800, close: () => undefined }
  })
  const { pick } = await draw()
  const of = (name: string, kind: 'jpeg' | 'other') => pictureFile(name, kind, 'x', 'image/jpeg')
  await pick(of('a.jpg', 'jpeg'), of('notes.jpg', 'other'), of('b.jpg', 'jpeg'))
  expect((await screen.findByRole('alert')).textContent).toContain('That file type won’t work here.')
  await waitFor(() => expect(sent()).toEqual([['a.jpg', 'b.jpg']]))
})

test('Photos beyond the limit of six are left out, with a message', async () => {
  const { pick } = await draw(...['a', 'b', 'c', 'd', 'e'].map((name) => photo(`${name}.webp`)))
  await pick(picture('six.jpg', 600, 800), picture('seven.jpg', 600, 800))
  expect((await screen.findByRole('alert')).textContent).toContain('You can have six photos.')
  await waitFor(() => expect(sent()).toEqual([['six.jpg']]))
})

test.each([
  ['unsupported_media_type', 'is damaged'],
  ['payload_too_large', 'has too many pixels'],
])('Each reason for a refused upload has its own message: %s', async (code, words) => {
  const { pick } = await draw()
  await pick(pictureFile('odd.webp', 'webp', 'x', 'image/webp'))
  await waitFor(() => expect(uploads).toHaveLength(1))
  uploads[0]?.answer(415, { code })
  expect((await screen.findByRole('alert')).textContent).toContain(words)
})

test('A photo that this browser can’t open is left to the server', async () => {
  const { pick } = await draw()
  await pick(pictureFile('odd.webp', 'webp', 'x', 'image/webp'))
  await waitFor(() => expect(sent()).toEqual([['odd.webp']]))
})

test('The crop dialog opens for each photo that doesn’t fit a card, and all are sent in order', async () => {
  const { user, pick } = await draw()
  await pick(picture('wide.jpg', 1600, 900), picture('card.jpg', 600, 800), picture('long.jpg', 600, 1600))
  for (const _ of ['wide.jpg', 'long.jpg']) {
    expect(uploads).toEqual([])
    const dialog = within(await screen.findByRole('dialog', { name: 'Crop photo' }))
    await user.click(dialog.getByRole('button', { name: 'Use whole photo' }))
  }
  await waitFor(() => expect(sent()).toEqual([['wide.jpg', 'card.jpg', 'long.jpg']]))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Closing the crop dialog leaves out only that photo', async () => {
  const { user, pick } = await draw()
  await pick(picture('wide.jpg', 1600, 900), picture('card.jpg', 600, 800))
  await screen.findByRole('dialog', { name: 'Crop photo' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(sent()).toEqual([['card.jpg']]))
})

test('A chosen crop isn’t discarded without asking', async () => {
  const { user, pick } = await draw()
  await pick(picture('wide.jpg', 1600, 900))
  const dialog = within(await screen.findByRole('dialog', { name: 'Crop photo' }))
  dialog.getByRole('slider').focus()
  await user.keyboard('{ArrowRight}{Escape}')
  await user.click(await dialog.findByRole('button', { name: 'Keep editing' }))
  expect(dialog.getByRole('slider').getAttribute('aria-valuenow')).toBe('1.1')
})

test('An existing photo can be cropped, without the option to use it whole', async () => {
  const { user } = await draw(photo('a.webp'))
  const cut = async () => {
    await user.click(screen.getByRole('button', { name: 'Change photo 1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Crop' }))
  }
  vi.stubGlobal('fetch', async () => new Response('x', { headers: { 'content-type': 'image/webp' } }))
  await cut()
  const dialog = within(await screen.findByRole('dialog', { name: 'Crop photo' }))
  expect(dialog.queryByRole('button', { name: 'Use whole photo' })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  expect(uploads).toEqual([])
})
