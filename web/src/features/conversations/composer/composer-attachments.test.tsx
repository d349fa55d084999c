import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useSession } from '../../../platform/session.ts'
import { pictureFile } from '../../../test/picture-file.ts'
import { jun, renderPage, signInAs } from '../../../test/render.tsx'
import { type SeenUpload, watchUploads } from '../../../test/uploads.ts'
import { usePhotoAttach } from '../attachments/photo-attach.ts'
import { chatOf } from '../browser-chat.ts'

vi.mock('../attachments/voice-recorder.tsx', () => ({
  VoiceRecorder: ({ onRecorded }: { onRecorded: (note: object) => boolean }) => (
    <button type="button" onClick={(event) => event.currentTarget.replaceChildren(String(onRecorded({ id: 'v1' })))}>
      Recorded
    </button>
  ),
}))
const { Composer } = await import('./composer.tsx')

let uploads: SeenUpload[]
beforeEach(() => {
  signInAs({ ...jun, id: 'me' })
  useSession.setState({ socketStatus: 'connected' })
  uploads = watchUploads()
  URL.createObjectURL = () => 'blob:preview'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function Written() {
  return <Composer id="maya" ready attach={usePhotoAttach('maya')} />
}
async function show() {
  const page = await renderPage(<Written />, { texts: ['thread', 'attachments', 'ui'] })
  return { ...page, send: vi.spyOn(chatOf(page.queryClient), 'send') }
}

it.each([true, false])('The recorder learns whether its voice message was sent: %s', async (went) => {
  const { user, send } = await show()
  send.mockReturnValueOnce(went)
  await user.click(screen.getByRole('button', { name: 'Recorded' }))
  expect(send).toHaveBeenLastCalledWith({ text: '', attachment: { id: 'v1' } })
  expect(screen.getByRole('button', { name: String(went) })).toBeTruthy()
})

it('A photo and its text stay in the composer until the message is sent', async () => {
  const { user, container, send } = await show()
  const input = container.querySelector('input[type=file]') as HTMLInputElement
  fireEvent.change(input, { target: { files: [pictureFile('dog.jpg')] } })
  await waitFor(() => expect(uploads).toHaveLength(1))
  await act(async () =>
    uploads[0]?.answer(201, { kind: 'photo', id: 'p1', url: '/m', width: 4, height: 3, blurhash: '', veiled: false }),
  )
  const box = screen.getByRole('textbox')
  await user.type(box, 'My dog')
  send.mockReturnValueOnce(false).mockReturnValueOnce(true)
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(screen.getByText('Ready to send')).toBeTruthy()
  expect(box).toHaveProperty('value', 'My dog')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(
    send.mock.calls
      .map(([written]) => written)
      .map((written) => typeof written === 'object' && [written.text, written.attachment?.id]),
  ).toEqual([
    ['My dog', 'p1'],
    ['My dog', 'p1'],
  ])
  expect(screen.queryByText('Ready to send')).toBeNull()
  expect(box).toHaveProperty('value', '')
})

it('Each photo becomes a message of its own, and the last one carries the text', async () => {
  const { user, container, send } = await show()
  const input = container.querySelector('input[type=file]') as HTMLInputElement
  const files = ['one.jpg', 'two.jpg', 'three.jpg'].map((name) => pictureFile(name))
  fireEvent.change(input, { target: { files } })
  await waitFor(() => expect(uploads).toHaveLength(3))
  const photo = { kind: 'photo', url: '/m', width: 4, height: 3, blurhash: '', veiled: false }
  for (const [index, id] of ['p1', 'p2', 'p3'].entries())
    await act(async () => uploads[index]?.answer(201, { ...photo, id }))
  await user.type(screen.getByRole('textbox'), 'My dog')
  send.mockReturnValue(true)
  await user.click(screen.getByRole('button', { name: 'Send' }))
  const written = send.mock.calls.map(([one]) => typeof one === 'object' && [one.text, one.attachment?.id])
  expect(written).toEqual([
    ['', 'p1'],
    ['', 'p2'],
    ['My dog', 'p3'],
  ])
  expect(screen.queryByText('Ready to send')).toBeNull()
})
