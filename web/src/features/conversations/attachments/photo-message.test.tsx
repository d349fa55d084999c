import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeAll, expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/render.tsx'
import type { PhotoAttachment } from './attachments.api.ts'
import { photoBox } from './photo-box.ts'
import { PhotoMessage } from './photo-message.tsx'

// Import the module in advance, because a first import can be slow on a busy machine.
beforeAll(() => import('../../../ui/lightbox/lightbox-view.tsx'))

let count = 0
const photo = (changes: Partial<PhotoAttachment> = {}): PhotoAttachment => ({
  ...{ kind: 'photo', id: `p${count++}`, url: '/media/attachments/x.webp?s=1', width: 1080, height: 720 },
  ...{ blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', veiled: false },
  ...changes,
})
const show = (of: PhotoAttachment, more: { mine?: boolean; onExpired?: () => void } = {}) =>
  renderPage(<PhotoMessage photo={of} mine={more.mine ?? false} name="Maya" onExpired={more.onExpired} />, {
    texts: ['attachments', 'ui'],
  })

it('A photo reserves its space before it has loaded', async () => {
  const { container } = await show(photo())
  const box = container.querySelector('button') as HTMLElement
  expect(box.style.width).toBe('264px')
  expect(box.style.aspectRatio).toBe('264 / 176')
})

it.each([
  [1080, 1440, 240, 320],
  [64, 48, 128, 96],
  [200, 9000, 96, 320],
  [9000, 200, 264, 96],
])('A photo of %i x %i shows as %i x %i', (width, height, shown, high) => {
  expect(photoBox({ width, height })).toEqual({ width: shown, aspectRatio: `${shown} / ${high}` })
})

it('A photo opens large with its description and closes again', async () => {
  const { user } = await show(photo(), { mine: true })
  await user.click(screen.getByRole('button', { name: 'Enlarge: Photo you sent' }))
  const dialog = await screen.findByRole('dialog', { name: 'Photo you sent' })
  expect(dialog.querySelector('img')?.getAttribute('src')).toContain('/media/attachments/x.webp?s=1')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('A photo from someone unmatched loads only after a tap, and stays revealed after a remount', async () => {
  const veiled = photo({ veiled: true })
  const { user, container, unmount } = await show(veiled)
  expect(screen.getByText('Tap to see')).toBeTruthy()
  expect(container.querySelector('img')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show Maya’s photo' }))
  expect(screen.getByRole('img', { name: 'Photo from Maya' })).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  unmount()
  await show(veiled)
  expect(screen.queryByText('Tap to see')).toBeNull()
})

it('A photo that fails to load shows a message and requests a new URL', async () => {
  const onExpired = vi.fn()
  await show(photo(), { onExpired })
  fireEvent.error(screen.getByRole('img'))
  expect(screen.getByText('This photo couldn’t be loaded.')).toBeTruthy()
  expect(onExpired).toHaveBeenCalledOnce()
})

const first = photo({ url: '/photo?s=1' })
let change: (url: string) => void
function Renewed() {
  const [url, setUrl] = useState(first.url)
  change = setUrl
  return <PhotoMessage photo={{ ...first, url }} mine={false} name="Maya" />
}

it('A failed photo tries its new URL, and a loaded photo keeps its old one', async () => {
  await renderPage(<Renewed />, { texts: ['attachments', 'ui'] })
  const src = () => screen.getByRole('img').getAttribute('src')
  fireEvent.load(screen.getByRole('img'))
  act(() => change('/photo?s=2'))
  expect(src()).toBe('/photo?s=1&w=640')
  fireEvent.error(screen.getByRole('img'))
  expect(src()).toBe('/photo?s=2&w=640')
  expect(screen.queryByText('This photo couldn’t be loaded.')).toBeNull()
})
