import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { useSession } from '../../platform/session.ts'
import { jun, renderPage, signInAs } from '../../test/render.tsx'
import type { PhotoAttach } from './photo-attach.ts'

const send = vi.fn()
vi.mock('./outgoing.ts', () => ({ sendMessage: send }))
vi.mock('./voice-recorder.tsx', () => ({
  VoiceRecorder: ({ onRecorded }: { onRecorded: (note: object) => boolean }) => (
    <button type="button" onClick={(event) => event.currentTarget.replaceChildren(String(onRecorded({ id: 'v1' })))}>
      Recorded
    </button>
  ),
}))
const { Composer } = await import('./composer.tsx')

const nothing = () => undefined
const attach: PhotoAttach = {
  ...{ picked: undefined, problem: undefined, busy: false, over: false, pick: nothing, retry: nothing },
  ...{ remove: nothing, take: nothing, onPaste: nothing },
  dropProps: { onDragOver: nothing, onDragLeave: nothing, onDrop: nothing },
}

beforeEach(() => {
  signInAs({ ...jun, id: 'me' })
  useSession.setState({ socketStatus: 'connected' })
})

it.each([true, false])('tells the recorder of a voice note whether it went: %s', async (went) => {
  send.mockReturnValueOnce(went)
  const { user } = await renderPage(<Composer id="maya" ready attach={attach} />, { texts: ['thread', 'attachments'] })
  await user.click(screen.getByRole('button', { name: 'Recorded' }))
  expect(send).toHaveBeenLastCalledWith(expect.anything(), { text: '', attachment: { id: 'v1' } })
  expect(screen.getByRole('button', { name: String(went) })).toBeTruthy()
})
