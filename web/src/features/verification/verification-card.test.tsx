import type { MyDetails } from '@duet/contract/profiles.ts'
import type { Pose, Verification } from '@duet/contract/verification.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mockEndpoint, problem, resetEndpoints } from '../../test/mock-endpoint.ts'
import { pictureFile } from '../../test/picture-file.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import { type SeenUpload, watchUploads } from '../../test/uploads.ts'
import { PoseFigure } from './pose-figure.tsx'
import { poseShapes } from './pose-figures.ts'
import { VerificationCard } from './verification-card.tsx'

const photo = { fileName: 'a.webp', url: '/a?x', alt: '', width: 3, height: 4, blurhash: '', state: 'approved' }
const soon = () => new Date(Date.now() + 600_000).toISOString()
const asked = (pose: Pose = 'look_up'): Verification => ({ state: 'asked', pose, expiresAt: soon() })
let verification: Verification
let uploads: SeenUpload[]

beforeEach(() => {
  signInAs(jun)
  URL.createObjectURL = () => 'blob:selfie'
  URL.revokeObjectURL = () => undefined
  mockEndpoint('GET /api/verification', () => verification)
  uploads = watchUploads()
})
afterEach(() => {
  resetEndpoints()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'mediaDevices')
})

async function draw(state: Verification, photos: object[] = [photo]) {
  verification = state
  mockEndpoint('GET /api/user/myDetails', () => ({ id: jun.id, photos, verified: false }) as unknown as MyDetails)
  return renderPage(<VerificationCard />, { texts: ['verification', 'ui'] })
}
const press = (user: Awaited<ReturnType<typeof draw>>['user'], name: string) =>
  screen.findByRole('button', { name }).then((button) => user.click(button))
async function pick(dialog: HTMLElement) {
  const input = dialog.querySelector('input[type=file]') as HTMLInputElement
  await act(async () => {
    fireEvent.change(input, { target: { files: [pictureFile('me.jpg', 'jpeg', 'me')] } })
  })
}

function plugCamera(open: () => Promise<unknown>) {
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia: open } })
}

test('Every pose has a drawing of its own', () => {
  const poses = Object.keys(poseShapes) as Pose[]
  const drawings = poses.map((pose) => renderToStaticMarkup(<PoseFigure pose={pose} />))
  expect(new Set(drawings).size).toBe(poses.length)
})

test('A person without a photo is told to add one first', async () => {
  await draw({ state: 'none' }, [])
  expect(await screen.findByText(/Add a photo to your profile first/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Get verified' }).disabled).toBe(true)
})

test('Verification explains what happens to the selfie, then shows a pose, then sends the selfie', async () => {
  const { user } = await draw({ state: 'none' })
  await press(user, 'Get verified')
  const dialog = await screen.findByRole('dialog', { name: 'Get verified' })
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(3)
  const started = mockEndpoint('POST /api/verification', () => {
    verification = asked('tilt_head')
    return verification
  })
  await user.click(within(dialog).getByRole('switch', { name: /A pose without hands/ }))
  await press(user, 'Show me a pose')
  expect(await screen.findByText('Tilt your head towards one shoulder')).toBeTruthy()
  expect(started.map(({ body }) => body)).toEqual([{ handsFree: true }])
  expect(await screen.findByText(/We couldn’t find a camera/)).toBeTruthy()
  await pick(screen.getByRole('dialog', { name: 'Your pose' }))
  expect(screen.getByRole('img', { name: 'Your selfie' }).getAttribute('src')).toBe('blob:selfie')
  await press(user, 'Send selfie')
  await waitFor(() => expect(uploads).toHaveLength(1))
  expect(uploads[0]?.url).toBe('/api/verification/selfie')
  expect([...(uploads[0]?.form.keys() ?? [])]).toEqual(['file'])
  verification = { state: 'waiting' }
  await act(async () => uploads[0]?.answer(200, verification))
  expect(await screen.findByRole('dialog', { name: 'Thank you' })).toBeTruthy()
})

test('A refused request for a pose is explained', async () => {
  const { user } = await draw({ state: 'rejected', reason: 'unclear' })
  expect(await screen.findByText('The selfie was too dark or blurry to compare.')).toBeTruthy()
  mockEndpoint('POST /api/verification', () => problem(429, 'rate_limited'))
  await press(user, 'Try again')
  await press(user, 'Show me a pose')
  expect(await screen.findByText(/You’ve asked for a pose five times this week/)).toBeTruthy()
})

test('A rejected selfie is explained and can be retaken', async () => {
  const { user } = await draw(asked())
  await press(user, 'Continue')
  await pick(await screen.findByRole('dialog', { name: 'Your pose' }))
  await press(user, 'Send selfie')
  await waitFor(() => expect(uploads).toHaveLength(1))
  const refusal = { type: '', title: '', status: 415, detail: '', code: 'unsupported_media_type', requestId: '' }
  await act(async () => uploads[0]?.answer(415, refusal))
  expect(await screen.findByText(/We can’t read that file/)).toBeTruthy()
  await press(user, 'Take another')
  expect(screen.queryByText(/We can’t read that file/)).toBeNull()
  expect(screen.queryByRole('img', { name: 'Your selfie' })).toBeNull()
})

test('The dialog asks before it closes with an unsent selfie', async () => {
  const { user } = await draw(asked())
  await press(user, 'Continue')
  await pick(await screen.findByRole('dialog', { name: 'Your pose' }))
  await user.keyboard('{Escape}')
  expect(await screen.findByText('Discard your changes?')).toBeTruthy()
  expect(screen.getByRole('img', { name: 'Your selfie' })).toBeTruthy()
  await press(user, 'Take another')
  expect(screen.queryByText('Discard your changes?')).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('A selfie that can’t be sent after its dialog was closed is reported in a toast', async () => {
  const { user } = await draw(asked())
  await press(user, 'Continue')
  await pick(await screen.findByRole('dialog', { name: 'Your pose' }))
  await press(user, 'Send selfie')
  await waitFor(() => expect(uploads).toHaveLength(1))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const refusal = { type: '', title: '', status: 415, detail: '', code: 'unsupported_media_type', requestId: '' }
  await act(async () => uploads[0]?.answer(415, refusal))
  expect((await screen.findByText(/We can’t read that file/)).closest('[data-sonner-toast]')).toBeTruthy()
})

test('Someone who can’t do a pose with hands can switch to one without', async () => {
  const { user } = await draw(asked('thumb_up'))
  await press(user, 'Continue')
  const started = mockEndpoint('POST /api/verification', () => {
    verification = asked('close_eyes')
    return verification
  })
  await press(user, 'A pose without hands')
  expect(await screen.findByText('Close both eyes')).toBeTruthy()
  expect(started.map(({ body }) => body)).toEqual([{ handsFree: true }])
  expect(screen.queryByRole('button', { name: 'A pose without hands' })).toBeNull()
})

test('A denied camera is explained, and a photo can be uploaded instead', async () => {
  plugCamera(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
  const { user } = await draw(asked())
  await press(user, 'Continue')
  expect(await screen.findByText(/Camera access is off/)).toBeTruthy()
  expect(screen.getByText('Choose a photo')).toBeTruthy()
})

test('Closing the dialog closes the camera', async () => {
  const stop = vi.fn()
  const stream = Object.assign(Object.create(MediaStream.prototype), { getTracks: () => [{ stop }] })
  plugCamera(() => Promise.resolve(stream))
  const { user } = await draw(asked())
  await press(user, 'Continue')
  expect(await screen.findByRole('button', { name: 'Take the selfie' })).toBeTruthy()
  expect(screen.getByLabelText('What the camera sees')).toBeTruthy()
  expect(stop).not.toHaveBeenCalled()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(stop).toHaveBeenCalledOnce())
})

test('A waiting selfie can be withdrawn, once that is confirmed', async () => {
  const { user } = await draw({ state: 'waiting' })
  const taken = mockEndpoint('DELETE /api/verification', () => {
    verification = { state: 'none' }
    return { ok: true as const }
  })
  await press(user, 'Withdraw selfie')
  const dialog = await screen.findByRole('dialog', { name: 'Withdraw your selfie?' })
  expect(taken).toHaveLength(0)
  await user.click(within(dialog).getByRole('button', { name: 'Withdraw selfie' }))
  expect(await screen.findByRole('button', { name: 'Get verified' })).toBeTruthy()
  expect(taken).toHaveLength(1)
})

test('A verified person sees since when, and that changing the first photo ends it', async () => {
  await draw({ state: 'approved', verifiedAt: '2026-05-17T12:00:00Z' })
  expect(await screen.findByText(/You’ve been verified since May 17, 2026/)).toBeTruthy()
  expect(screen.getByText(/If you change your first photo, you lose your badge/)).toBeTruthy()
})

test('A verification that can’t be loaded shows an error', async () => {
  mockEndpoint('GET /api/user/myDetails', () => problem(503, 'unavailable'))
  mockEndpoint('GET /api/verification', () => problem(404, 'not_found'))
  await renderPage(<VerificationCard />, { texts: ['verification'] })
  expect(await screen.findByText('Your verification couldn’t be loaded.')).toBeTruthy()
})
