import { act, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { renderPage } from '../../../test/render.tsx'
import type { VoiceAttachment } from './attachments.api.ts'
import { VoiceNote } from './voice-note.tsx'

interface Sound {
  src: string
  currentTime: number
  readyState: number
  paused: boolean
  onended?: () => void
  onerror?: () => void
}
let sounds: Sound[]

beforeEach(() => {
  sounds = []
  vi.stubGlobal(
    'Audio',
    function audio(
      this: Sound & Record<'onplay' | 'onpause' | 'onloadedmetadata', (() => void) | undefined>,
      src: string,
    ) {
      const play = async () => {
        this.paused = false
        if (this.readyState === 0) this.onloadedmetadata?.()
        this.readyState = 4
        this.onplay?.()
      }
      const pause = () => {
        this.paused = true
        this.onpause?.()
      }
      sounds.push(Object.assign(this, { src, currentTime: 0, readyState: 0, paused: true, play, pause }))
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

const note = (id: string): VoiceAttachment => ({
  ...{ kind: 'voice', id, url: `/media/attachments/${id}.webm`, durationMs: 12_400 },
  waveform: [0, 50, 100, 50],
})
async function show(onExpired?: () => void) {
  return renderPage(
    <>
      <VoiceNote note={note('one')} onExpired={onExpired} />
      <VoiceNote note={note('two')} />
    </>,
    { texts: ['attachments'] },
  )
}
const slider = () => screen.getAllByRole('slider', { name: 'Position' })[0] as HTMLElement
const position = () => slider().getAttribute('aria-valuetext')
const press = (key: string) => fireEvent.keyDown(slider(), { key })

it('A voice message shows its length and loads nothing before it is played', async () => {
  await show()
  expect(screen.getAllByText('0:12')).toHaveLength(2)
  expect(position()).toBe('0:00 of 0:12')
  expect(sounds).toEqual([])
})

it('A voice message plays and pauses, and starting one pauses the other', async () => {
  const { user } = await show()
  await user.click(screen.getAllByRole('button', { name: 'Play' })[0] as HTMLElement)
  expect(sounds[0]).toMatchObject({ src: '/media/attachments/one.webm', paused: false })
  await user.click(screen.getByRole('button', { name: 'Play' }))
  expect(sounds.map(({ paused }) => paused)).toEqual([true, false])
  await user.click(screen.getByRole('button', { name: 'Pause' }))
  expect(sounds.map(({ paused }) => paused)).toEqual([true, true])
})

it('A voice message shows its position while it plays, and rewinds at the end', async () => {
  const { user } = await show()
  await user.click(screen.getAllByRole('button', { name: 'Play' })[0] as HTMLElement)
  const sound = sounds[0] as Sound
  sound.currentTime = 6.2
  await eventually(() => expect(position()).toBe('0:06 of 0:12'))
  expect(screen.getByText('0:06')).toBeTruthy()
  act(() => sound.onended?.())
  expect(sound.currentTime).toBe(0)
})

it('The keyboard moves the position, even before the first playback', async () => {
  const { user } = await show()
  expect(press('ArrowRight')).toBe(false)
  press('ArrowRight')
  expect(position()).toBe('0:02 of 0:12')
  press('End')
  expect(position()).toBe('0:12 of 0:12')
  press('PageDown')
  press('ArrowLeft')
  expect(position()).toBe('0:01 of 0:12')
  await user.click(screen.getAllByRole('button', { name: 'Play' })[0] as HTMLElement)
  press('ArrowUp')
  expect(sounds[0]?.currentTime).toBeCloseTo(2.4)
  press('Home')
  expect(sounds[0]?.currentTime).toBe(0)
  expect(press('a')).toBe(true)
})

it('The arrow keys are mirrored in right-to-left text', async () => {
  await show()
  slider().style.direction = 'rtl'
  press('ArrowLeft')
  expect(position()).toBe('0:01 of 0:12')
  press('ArrowRight')
  expect(position()).toBe('0:00 of 0:12')
})

it('The slider’s keys don’t reach the list around it', async () => {
  const heard = vi.fn()
  await renderPage(
    // biome-ignore lint/a11y/noStaticElementInteractions: stands in for the list of messages
    <div onKeyDown={heard}>
      <VoiceNote note={note('one')} />
    </div>,
    { texts: ['attachments'] },
  )
  press('ArrowUp')
  expect(heard).not.toHaveBeenCalled()
  press('Tab')
  expect(heard).toHaveBeenCalledOnce()
})

it('A playback error is shown, a new URL is requested, and the next press tries again', async () => {
  const onExpired = vi.fn()
  const { user } = await show(onExpired)
  await user.click(screen.getAllByRole('button', { name: 'Play' })[0] as HTMLElement)
  act(() => sounds[0]?.onerror?.())
  expect(screen.getByRole('alert').textContent).toBe('This voice message couldn’t be played.')
  expect(onExpired).toHaveBeenCalledOnce()
  await user.click(screen.getAllByRole('button', { name: 'Play' })[0] as HTMLElement)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(sounds.map(({ paused }) => paused)).toEqual([false])
})

let change: (url: string) => void
function Renewed({ onExpired }: { onExpired?: (() => void) | undefined }) {
  const [url, setUrl] = useState('/old')
  change = setUrl
  return <VoiceNote note={{ ...note('one'), url }} onExpired={onExpired} />
}

async function failed(refresh?: () => void) {
  const { user } = await renderPage(<Renewed onExpired={refresh} />, { texts: ['attachments'] })
  await user.click(screen.getByRole('button', { name: 'Play' }))
  fail()
  return user
}
function fail() {
  const [sound] = sounds as [Sound]
  sound.paused = true
  act(() => sound.onerror?.())
}
const state = () => sounds.map(({ src, paused }) => [src, paused ? 'silent' : 'heard'])

it('A note that failed to load plays automatically from its new URL, in the same audio element', async () => {
  await failed()
  act(() => change('/new'))
  expect(state()).toEqual([['/new', 'heard']])
  expect(screen.queryByRole('alert')).toBeNull()
  act(() => change('/newer'))
  expect(state()).toEqual([['/new', 'heard']])
})

it('A note stays silent when its new URL arrives long after the failure', async () => {
  await failed()
  vi.spyOn(performance, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER)
  act(() => change('/new'))
  expect(state()).toEqual([['/old', 'silent']])
})

it('Each press requests a new URL once, and a second failure ends the attempt', async () => {
  const refresh = vi.fn()
  const user = await failed(refresh)
  act(() => change('/new'))
  fail()
  act(() => change('/newer'))
  expect(state()).toEqual([['/new', 'silent']])
  expect(refresh).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Play' }))
  expect(state()).toEqual([['/newer', 'heard']])
})

it('An error shows when the browser blocks playback without a user gesture', async () => {
  await failed()
  Object.assign(sounds[0] as Sound, { play: () => Promise.reject(new DOMException('no gesture', 'NotAllowedError')) })
  await act(async () => change('/new'))
  expect(screen.getByRole('alert').textContent).toBe('This voice message couldn’t be played.')
})
