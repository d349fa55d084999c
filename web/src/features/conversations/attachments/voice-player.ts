import { useEffect, useRef, useState } from 'react'
import { create } from 'zustand'

// The element that is playing. Starting another one pauses it.
let heard: HTMLAudioElement | undefined

/** The id of the voice message that is playing. Its row stays mounted even when scrolled out of view. */
export const useHeard = create<{ id: string | undefined }>()(() => ({ id: undefined }))

export interface Player {
  playing: boolean
  positionMs: number
  failed: boolean
  toggle: () => void
  seek: (ms: number) => void
}

interface Playable {
  id: string
  url: string
  durationMs: number
}

/**
 * How long after the Play button was pressed playback may still start on its own, in milliseconds. A later start would
 * startle people.
 */
const patience = 5_000

/**
 * Plays a voice message, which loads only when Play is pressed. If loading fails, calls `onFailed` once per press and
 * plays the new URL if it arrives within `patience`.
 */
export function usePlayer({ id, url, durationMs }: Playable, onFailed?: () => void): Player {
  const audio = useRef<HTMLAudioElement>(undefined)
  const wanted = useRef(0)
  const [playing, setPlaying] = useState(false)
  const [positionMs, setPosition] = useState(0)
  const [failed, setFailed] = useState(false)
  // The deadline for automatically playing a new URL, in terms of `performance.now()`. Undefined if no new URL is
  // expected.
  const until = useRef<number>(undefined)
  const isRetry = useRef(false)
  const fail = useRef(onFailed)
  fail.current = onFailed

  // Every refetch brings a new URL for the same voice message, so a change of the URL doesn't stop playback.
  useEffect(() => () => letGo(audio), [])
  useFrames(playing, () => setPosition(Math.min(durationMs, (audio.current?.currentTime ?? 0) * 1000)))

  const tell = (isPlaying: boolean) => {
    setPlaying(isPlaying)
    useHeard.setState((now) => ({ id: isPlaying ? id : now.id === id ? undefined : now.id }))
  }
  const giveUp = () => {
    tell(false)
    setFailed(true)
    if (isRetry.current) return
    until.current = performance.now() + patience
    fail.current?.()
  }
  const open = () => {
    const element = new Audio(url)
    element.onplay = () => tell(true)
    element.onpause = () => tell(false)
    element.onended = () => {
      wanted.current = 0
      setPosition(0)
      element.currentTime = 0
    }
    element.onerror = giveUp
    element.onloadedmetadata = () => {
      if (wanted.current > 0) element.currentTime = wanted.current / 1000
    }
    return element
  }
  const play = (again: boolean) => {
    isRetry.current = again
    until.current = undefined
    // Reuse the element for a retry, because browsers allow automatic playback only in an element that a user gesture
    // started.
    if (audio.current && failed) audio.current.src = url
    const element = audio.current ?? open()
    audio.current = element
    setFailed(false)
    if (heard !== element) heard?.pause()
    heard = element
    // `play()` also rejects if playback is paused before it starts. `onerror` handles loading errors.
    element.play().catch(({ name }: Error) => name === 'NotAllowedError' && setFailed(true))
  }
  const playAgain = useRef(play)
  playAgain.current = play
  // biome-ignore lint/correctness/useExhaustiveDependencies: retries when a new URL arrives
  useEffect(() => {
    if (until.current !== undefined && performance.now() < until.current) playAgain.current(true)
  }, [url])
  const toggle = () => (playing ? audio.current?.pause() : play(false))
  const seek = (ms: number) => {
    wanted.current = Math.max(0, Math.min(durationMs, ms))
    setPosition(wanted.current)
    if (audio.current && audio.current.readyState > 0) audio.current.currentTime = wanted.current / 1000
  }
  return { playing, positionMs, failed, toggle, seek }
}

function letGo(audio: { current: HTMLAudioElement | undefined }): void {
  const element = audio.current
  audio.current = undefined
  if (!element) return
  element.pause()
  if (heard === element) heard = undefined
}

function useFrames(running: boolean, frame: () => void): void {
  const latest = useRef(frame)
  latest.current = frame
  useEffect(() => {
    if (!running) return
    let next = requestAnimationFrame(function tick() {
      latest.current()
      next = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(next)
  }, [running])
}
