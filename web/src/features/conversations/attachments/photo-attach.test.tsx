import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pictureFile } from '../../../test/picture-file.ts'
import { renderPage } from '../../../test/render.tsx'
import { type SeenUpload, watchUploads } from '../../../test/uploads.ts'
import { usePhotoAttach } from './photo-attach.ts'
import { PhotoButton } from './photo-button.tsx'
import { DropHint, PhotoPreview } from './photo-preview.tsx'

const attachment = { kind: 'photo', id: 'a1', url: '/m', width: 4, height: 3, blurhash: '', veiled: false }
let uploads: SeenUpload[]

beforeEach(() => {
  uploads = watchUploads()
  URL.createObjectURL = () => 'blob:preview'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  vi.unstubAllGlobals()
})

let picked: Promise<void> | undefined

function Writing() {
  const attach = usePhotoAttach('maya')
  const pick = (files: readonly File[]) => {
    picked = attach.pick(files)
    return picked
  }
  return (
    <div data-testid="pane" {...attach.dropProps}>
      <DropHint attach={attach} />
      <PhotoPreview attach={attach} />
      <textarea aria-label="Message" onPaste={attach.onPaste} />
      <PhotoButton attach={{ ...attach, pick }} />
      <output data-testid="state">{attach.busy ? 'busy' : attach.ready.map(({ id }) => id).join(' ')}</output>
      <button type="button" onClick={attach.sent}>
        Sent
      </button>
    </div>
  )
}

const photo = (name = 'dog.jpg') => pictureFile(name)
const drawing = () => pictureFile('notes.svg', 'other')
const large = () => pictureFile('large.png', 'png', new Uint8Array(8 * 1024 * 1024))
const opening = () => document.querySelectorAll('[aria-label="Photos to send with your message"] > li:not(:has(img))')
async function show() {
  const page = await renderPage(<Writing />, { texts: ['attachments', 'ui'] })
  const input = page.container.querySelector('input[type=file]') as HTMLInputElement
  const pick = async (...files: File[]) => {
    fireEvent.change(input, { target: { files } })
    await act(async () => picked)
    await waitFor(() => expect(opening()).toHaveLength(0))
  }
  return { ...page, pick }
}
const textOf = (file: File) => file.slice(4).text()
const sent = () => Promise.all(uploads.map(({ form }) => textOf(form.get('file') as File)))
const answer = (index: number, id: string) => act(async () => uploads[index]?.answer(201, { ...attachment, id }))
const button = (name: string) => screen.getByRole('button', { name })
const state = () => screen.getByTestId('state').textContent

it('A picked photo uploads immediately, shows its progress, and is then ready to send', async () => {
  const { pick, user } = await show()
  await pick(photo())
  expect(uploads[0]?.url).toBe('/api/conversations/maya/attachments')
  expect(await sent()).toEqual(['dog.jpg'])
  expect(screen.getByRole('img').getAttribute('src')).toBe('blob:preview')
  act(() => uploads[0]?.progress(0.4))
  expect(screen.getByText('Uploading 40%')).toBeTruthy()
  expect(screen.getByRole('progressbar', { name: 'Upload progress' }).getAttribute('aria-valuenow')).toBe('0.4')
  expect(state()).toBe('busy')
  await act(async () => uploads[0]?.answer(201, attachment))
  expect(screen.getByText('Ready to send')).toBeTruthy()
  expect(state()).toBe('a1')
  await user.click(screen.getByRole('button', { name: 'Remove photo' }))
  expect(screen.queryByRole('img')).toBeNull()
})

it.each([
  ['a file that isn’t a photo', drawing(), 'That file type won’t work here.'],
  ['a file that is too large', large(), 'too large'],
  ['a HEIC photo that this browser can’t open', pictureFile('IMG_1.HEIC', 'heic'), 'couldn’t open that HEIC photo'],
])('Picking %s shows the reason and uploads nothing', async (_, file, words) => {
  const { pick, user } = await show()
  await pick(file)
  expect((await screen.findByRole('alert')).textContent).toContain(words)
  expect(uploads).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('alert')).toBeNull()
})

it('Several photos keep their order, and the progress covers all of them', async () => {
  const { pick } = await show()
  await pick(photo('one.jpg'), photo('two.jpg'))
  await pick(photo('three.jpg'))
  expect(await sent()).toEqual(['one.jpg', 'two.jpg', 'three.jpg'])
  await answer(2, 'c')
  await answer(0, 'a')
  expect(screen.getByText('Uploading 67%')).toBeTruthy()
  expect(state()).toBe('busy')
  await answer(1, 'b')
  expect(screen.getByText('Ready to send')).toBeTruthy()
  expect(state()).toBe('a b c')
})

it('Each photo can be removed, and the focus moves to its neighbour', async () => {
  const { pick, user } = await show()
  await pick(photo('one.jpg'), photo('two.jpg'), photo('three.jpg'))
  for (const [index, id] of ['a', 'b', 'c'].entries()) await answer(index, id)
  await user.click(button('Remove photo 2 of 3'))
  expect(state()).toBe('a c')
  expect(document.activeElement).toBe(button('Remove photo 2 of 2'))
  await user.click(button('Remove photo 2 of 2'))
  await user.click(button('Remove photo'))
  expect(screen.queryByRole('list')).toBeNull()
})

it('The composer takes at most six photos and shows a message about the others', async () => {
  const { pick } = await show()
  await pick(...['1', '2', '3', '4'].map((name) => photo(name)))
  expect(screen.queryByRole('alert')).toBeNull()
  await pick(drawing(), ...['5', '6', '7', '8'].map((name) => photo(name)))
  expect(await sent()).toEqual(['1', '2', '3', '4', '5', '6'])
  expect(screen.getByRole('alert').textContent).toContain('up to six photos at a time')
})

it('Files that can’t be sent are left out and named, and the others are kept', async () => {
  const { pick } = await show()
  await pick(photo('one.jpg'), drawing(), large(), photo('two.jpg'))
  expect(await sent()).toEqual(['one.jpg', 'two.jpg'])
  const reasons = within(screen.getByRole('alert')).getAllByRole('listitem')
  expect(reasons.map(({ textContent }) => textContent)).toEqual([
    'notes.svg: That file type won’t work here. Choose a JPEG, PNG or WebP photo.',
    'large.png: That file is too large.',
  ])
  await answer(0, 'a')
  await answer(1, 'b')
  expect(state()).toBe('a b')
})

it('Photos that failed to upload stay when the others are sent, and can be retried', async () => {
  const { pick, user } = await show()
  await pick(photo('one.jpg'), photo('two.jpg'))
  await answer(0, 'a')
  await act(async () => uploads[1]?.fail())
  expect(screen.getByRole('alert').textContent).toContain('No connection.')
  await user.click(button('Sent'))
  expect(state()).toBe('')
  await user.click(button('Retry'))
  expect((await sent()).slice(2)).toEqual(['two.jpg'])
  await answer(2, 'b')
  expect(state()).toBe('b')
})

it.each([
  ['offline', (upload: SeenUpload) => upload.fail(), 'No connection.'],
  ['too often', (upload: SeenUpload) => upload.answer(429, { code: 'rate_limited' }), 'wait a while'],
  ['not allowed', (upload: SeenUpload) => upload.answer(404, { code: 'not_found' }), 'can’t send this here'],
  ['a damaged photo', (upload: SeenUpload) => upload.answer(415, { code: 'unsupported_media_type' }), 'is damaged'],
  ['too many pixels', (upload: SeenUpload) => upload.answer(413, { code: 'payload_too_large' }), 'too many pixels'],
  ['too small', (upload: SeenUpload) => upload.answer(422, { code: 'validation_failed' }), 'too small'],
  ['a fault', (upload: SeenUpload) => upload.answer(500, {}), 'didn’t work'],
])('A failed upload is explained (%s) and can be retried', async (_, fail, words) => {
  const { pick, user } = await show()
  await pick(photo())
  await act(async () => fail(uploads[0] as SeenUpload))
  expect(screen.getByRole('alert').textContent).toContain(words)
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await act(async () => uploads[1]?.answer(201, attachment))
  expect(screen.getByText('Ready to send')).toBeTruthy()
})

it('Removing a photo aborts its upload', async () => {
  const { pick, user } = await show()
  await pick(photo())
  await user.click(screen.getByRole('button', { name: 'Remove photo' }))
  expect(uploads[0]?.aborted).toBe(true)
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

function pasted(text: string, ...files: File[]) {
  const clipboardData = { files, getData: (type: string) => (type === 'text/plain' ? text : '') }
  return fireEvent.paste(screen.getByRole('textbox'), { clipboardData })
}
const shot = () => pictureFile('image.png', 'png', 'x', 'image/png')

it.each([
  ['text', () => pasted('Hello')],
  ['spreadsheet cells, which browsers also offer as a picture', () => pasted('1\t2\n3\t4', shot())],
  ['a file that isn’t a picture', () => pasted('', new File(['x'], 'notes.pdf', { type: 'application/pdf' }))],
])('The text box handles a paste of %s', async (_, paste) => {
  await show()
  expect(paste()).toBe(true)
  expect(uploads).toEqual([])
})

it.each([
  ['a picture', () => pasted('', shot())],
  ['a copied file, whose name is pasted as text', () => pasted('image.png', shot())],
  ['a photo without a media type', () => pasted('', pictureFile('copied', 'png'))],
])('A pasted photo is attached: %s', async (_, paste) => {
  await show()
  expect(paste()).toBe(false)
  await waitFor(() => expect(uploads).toHaveLength(1))
})

it('A dropped photo is attached, and a hint shows while it is dragged over the drop zone', async () => {
  await show()
  const pane = screen.getByTestId('pane')
  fireEvent.dragOver(pane, { dataTransfer: { types: ['text/plain'] } })
  expect(screen.queryByText('Drop photos here')).toBeNull()
  fireEvent.dragOver(pane, { dataTransfer: { types: ['Files'] } })
  expect(screen.getByText('Drop photos here')).toBeTruthy()
  fireEvent.drop(pane, { dataTransfer: { types: ['Files'], files: [photo()] } })
  expect(screen.queryByText('Drop photos here')).toBeNull()
  await waitFor(() => expect(uploads).toHaveLength(1))
})

it('A file dropped outside the drop zone doesn’t open in the tab, and dragged text works as usual', async () => {
  await show()
  for (const event of ['dragOver', 'drop'] as const) {
    expect(fireEvent[event](document.body, { dataTransfer: { types: ['Files'] } })).toBe(false)
    expect(fireEvent[event](document.body, { dataTransfer: { types: ['text/plain'] } })).toBe(true)
  }
})
