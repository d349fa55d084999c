import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/render.tsx'
import { type SeenUpload, watchUploads } from '../../../test/uploads.ts'
import { VoiceRecorder } from './voice-recorder.tsx'

// Import the module in advance, because a first import can be slow on a busy machine.
beforeAll(() => import('./voice-bar.tsx'))

const note = { kind: 'voice', id: 'v1', url: '/m', durationMs: 2000, waveform: [1] }
const recorded = vi.fn(() => true)
let uploads: SeenUpload[]
let stopTrack: ReturnType<typeof vi.fn>
let closeSound: ReturnType<typeof vi.fn>
let microphone: () => Promise<unknown>
let loseMicrophone: () => void

function stubSound(): void {
  stopTrack = vi.fn()
  closeSound = vi.fn(async () => undefined)
  microphone = async () => ({ getTracks: () => [{ stop: stopTrack }] })
  vi.stubGlobal('navigator', Object.assign(navigator, { mediaDevices: { getUserMedia: () => microphone() } }))
  const analyser = { fftSize: 4, getFloatTimeDomainData: (samples: Float32Array) => samples.fill(0.5) }
  vi.stubGlobal('AudioContext', function context(this: object) {
    const source = { connect: () => undefined }
    Object.assign(this, { createAnalyser: () => analyser, createMediaStreamSource: () => source })
    Object.assign(this, { resume: async () => undefined, close: closeSound })
  })
  function recorder(this: Record<string, unknown>) {
    const events = this as { ondataavailable?: (event: object) => void; onstop?: () => void; onstart?: () => void }
    const stop = () => {
      this.state = 'inactive'
      events.ondataavailable?.({ data: new Blob(['sound']) })
      setTimeout(() => events.onstop?.())
    }
    const end = () => {
      if (this.state === 'inactive') throw new DOMException('It is over.', 'InvalidStateError')
      stop()
    }
    loseMicrophone = stop
    Object.assign(this, { state: 'recording', mimeType: 'audio/webm', start: () => events.onstart?.(), stop: end })
  }
  vi.stubGlobal('MediaRecorder', Object.assign(recorder, { isTypeSupported: () => true }))
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'setInterval', 'clearInterval', 'performance'] })
  uploads = watchUploads()
  stubSound()
  URL.createObjectURL = () => 'blob:note'
  URL.revokeObjectURL = () => undefined
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  recorded.mockClear()
})

function Row() {
  const [active, setActive] = useState(false)
  return (
    <>
      {!active && <textarea aria-label="Message" />}
      <VoiceRecorder peerId="maya" onRecorded={recorded} onActiveChange={setActive} />
    </>
  )
}
const button = (name: string) => screen.getByRole('button', { name })
const show = () => renderPage(<Row />, { texts: ['attachments', 'ui'] })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const tap = async () => {
  fireEvent.click(button('Record a voice message'), { detail: 0 })
  await pass(50)
}
const holdDown = async () => {
  fireEvent.pointerDown(button('Record a voice message'), { button: 0, isPrimary: true, clientX: 300, clientY: 500 })
  await pass(50)
}
const fields = (upload: SeenUpload | undefined) => Object.fromEntries(upload?.form.entries() ?? [])

it('A tap starts recording and another sends, with the length and waveform ahead of the file', async () => {
  await show()
  await tap()
  expect(screen.queryByRole('textbox')).toBeNull()
  await pass(2_000)
  expect(screen.getByRole('timer').textContent).toBe('0:02')
  fireEvent.click(button('Send voice message'))
  await pass(20)
  expect(stopTrack).toHaveBeenCalled()
  expect([...(uploads[0]?.form.keys() ?? [])]).toEqual(['durationMs', 'waveform', 'file'])
  const waveform = JSON.parse(String(fields(uploads[0]).waveform)) as number[]
  expect(waveform).toEqual(Array(48).fill(100))
  expect(Number(fields(uploads[0]).durationMs)).toBeGreaterThan(1_900)
  await act(async () => uploads[0]?.answer(201, note))
  expect(recorded).toHaveBeenCalledWith(note)
  expect(screen.getByRole('textbox')).toBeTruthy()
})

it('A recording can be played before it is sent', async () => {
  await show()
  await tap()
  await pass(1_000)
  fireEvent.click(button('Stop recording'))
  await pass(20)
  expect(button('Play')).toBeTruthy()
  expect(uploads).toEqual([])
  expect(document.activeElement).toBe(button('Send voice message'))
  fireEvent.click(button('Send voice message'))
  expect(uploads).toHaveLength(1)
})

it('Releasing the microphone button after holding it sends the recording', async () => {
  await show()
  await holdDown()
  await pass(1_500)
  expect(screen.getByText('Slide away to cancel')).toBeTruthy()
  fireEvent.pointerUp(window, { clientX: 304, clientY: 490 })
  await pass(20)
  expect(uploads).toHaveLength(1)
})

it('Sliding away before releasing the microphone button cancels the recording', async () => {
  await show()
  await holdDown()
  await pass(1_500)
  fireEvent.pointerUp(window, { clientX: 100, clientY: 490 })
  await pass(20)
  expect(uploads).toEqual([])
  expect(stopTrack).toHaveBeenCalled()
  expect(screen.getByRole('textbox')).toBeTruthy()
})

it.each([
  ['the button', () => fireEvent.click(button('Discard voice message'))],
  ['Escape', () => fireEvent.keyDown(button('Send voice message'), { key: 'Escape' })],
])('A recording is discarded by %s, and the focus returns to the microphone button', async (_, giveUp) => {
  await show()
  await tap()
  giveUp()
  await pass(20)
  expect(uploads).toEqual([])
  expect(stopTrack).toHaveBeenCalled()
  expect(document.activeElement).toBe(button('Record a voice message'))
})

it('A recording stops after two minutes and isn’t sent without a press', async () => {
  await show()
  await tap()
  await pass(121_000)
  expect(button('Play')).toBeTruthy()
  expect(uploads).toEqual([])
  fireEvent.click(button('Send voice message'))
  expect(fields(uploads[0]).durationMs).toBe('120000')
})

it.each([
  ['NotAllowedError', 'Microphone access is off.'],
  ['NotFoundError', 'We couldn’t find a microphone.'],
  ['AbortError', 'That didn’t work.'],
])('A microphone error is explained (%s), and Retry starts the recording', async (name, words) => {
  const works = microphone
  microphone = () => Promise.reject(new DOMException('no', name))
  await show()
  await tap()
  expect(screen.getByRole('alert').textContent).toContain(words)
  microphone = works
  fireEvent.click(button('Retry'))
  await pass(50)
  expect(screen.getByRole('timer')).toBeTruthy()
})

it('A browser that can’t record shows a message', async () => {
  vi.stubGlobal(
    'MediaRecorder',
    Object.assign(() => undefined, { isTypeSupported: () => false }),
  )
  await show()
  await tap()
  expect(screen.getByRole('alert').textContent).toBe('This browser can’t record.')
  fireEvent.click(button('Close'))
  expect(screen.getByRole('textbox')).toBeTruthy()
})

it('A recording that is too short isn’t sent', async () => {
  await show()
  await tap()
  await pass(200)
  fireEvent.click(button('Send voice message'))
  await pass(20)
  expect(screen.getByRole('alert').textContent).toContain('too short')
  expect(uploads).toEqual([])
})

it('A recording that failed to upload is kept and can be sent again', async () => {
  await show()
  await tap()
  await pass(1_000)
  fireEvent.click(button('Send voice message'))
  await pass(20)
  await act(async () => uploads[0]?.fail())
  expect(screen.getByRole('alert').textContent).toBe('No connection.')
  fireEvent.click(button('Send voice message'))
  await act(async () => uploads[1]?.answer(201, note))
  expect(recorded).toHaveBeenCalledWith(note)
})

it.each([
  ['unsupported_media_type', 'That recording can’t be read.'],
  ['validation_failed', 'That recording can’t be read.'],
  ['payload_too_large', 'That recording is too long to send.'],
])('A rejected recording is explained in words about recordings: %s', async (code, words) => {
  await show()
  await tap()
  await pass(1_000)
  fireEvent.click(button('Send voice message'))
  await pass(20)
  await act(async () => uploads[0]?.answer(400, { code }))
  expect(screen.getByRole('alert').textContent).toContain(words)
})

it('A recording that ends after unmounting creates no object URL', async () => {
  const made = vi.spyOn(URL, 'createObjectURL')
  const { unmount } = await show()
  await tap()
  await pass(1_000)
  fireEvent.click(button('Stop recording'))
  unmount()
  await pass(50)
  expect(made).not.toHaveBeenCalled()
})

it('An uploaded recording that couldn’t be sent is kept', async () => {
  recorded.mockReturnValueOnce(false)
  await show()
  await tap()
  await pass(1_000)
  fireEvent.click(button('Send voice message'))
  await pass(20)
  await act(async () => uploads[0]?.answer(201, note))
  expect(screen.getByRole('alert').textContent).toBe('No connection.')
  expect(screen.queryByRole('textbox')).toBeNull()
})

it('Unmounting the recorder releases the microphone', async () => {
  const { unmount } = await show()
  await tap()
  unmount()
  expect(stopTrack).toHaveBeenCalled()
})

it('A recording cut short by losing the microphone is kept and can be sent', async () => {
  await show()
  await tap()
  await pass(2_000)
  await act(async () => loseMicrophone())
  await pass(50)
  fireEvent.click(button('Send voice message'))
  await pass(20)
  expect(fields(uploads[0])).toMatchObject({ durationMs: expect.any(String), file: expect.any(Blob) })
  await act(async () => uploads[0]?.answer(201, note))
  expect(recorded).toHaveBeenCalledWith(note)
})

it.each([
  ['rejects the audio format', { MediaRecorder: 'construct' }],
  ['doesn’t start', { MediaRecorder: 'start' }],
  ['can’t measure the loudness', { AudioContext: 'createMediaStreamSource' }],
])('The microphone is released when the recorder %s', async (_, broken) => {
  const fail = () => {
    throw new DOMException('Not here.', 'NotSupportedError')
  }
  for (const [name, act] of Object.entries(broken)) {
    const Real = Reflect.get(globalThis, name) as new () => object
    function breaking() {
      return act === 'construct' ? fail() : Object.assign(new Real(), { [act]: fail })
    }
    vi.stubGlobal(name, Object.assign(breaking, { isTypeSupported: () => true }))
  }
  await show()
  await tap()
  expect(await screen.findByText('This browser can’t record.')).toBeDefined()
  expect(stopTrack).toHaveBeenCalledTimes(1)
  expect(closeSound).toHaveBeenCalledTimes('MediaRecorder' in broken && broken.MediaRecorder === 'construct' ? 0 : 1)
})
