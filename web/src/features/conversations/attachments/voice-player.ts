import { useCallback, useEffect, useRef, useState } from 'react'

// One note is heard at a time.
let heard: HTMLAudioElement | undefined

export interface Player {
  playing: boolean
  /** Where it is, in milliseconds. */
  positionMs: number
  failed: boolean
  toggle: () => void
  seek: (ms: number) => void
}

/** Plays one voice note. Nothing is loaded before it is asked for; `onFailed` hears when it cannot be. */
export function usePlayer(url: string, durationMs: number, onFailed?: () => void): Player {
  const audio = useRef<HTMLAudioElement>(undefined)
  const wanted = useRef(0)
  const [playing, setPlaying] = useState(false)
  const [positionMs, setPosition] = useState(0)
  const [failed, setFailed] = useState(false)
  const awaitsAddress = useRef(false)
  const fail = useRef(onFailed)
  fail.current = onFailed

  // A new address of the same note comes with every list: the one that plays goes on with its own.
  useEffect(() => () => letGo(audio), [])
  useFrames(playing, () => setPosition(Math.min(durationMs, (audio.current?.currentTime ?? 0) * 1000)))

  const open = useCallback(() => {
    const element = new Audio(url)
    element.onplay = () => setPlaying(true)
    element.onpause = () => setPlaying(false)
    element.onended = () => {
      wanted.current = 0
      setPosition(0)
      element.currentTime = 0
    }
    element.onerror = () => {
      letGo(audio)
      setPlaying(false)
      setFailed(true)
      awaitsAddress.current = true
      fail.current?.()
    }
    element.onloadedmetadata = () => {
      if (wanted.current > 0) element.currentTime = wanted.current / 1000
    }
    audio.current = element
    return element
  }, [url])

  const play = () => {
    setFailed(false)
    awaitsAddress.current = false
    const element = audio.current ?? open()
    if (heard !== element) heard?.pause()
    heard = element
    // A pause before it began is no failure; what cannot be loaded tells so by itself.
    element.play().catch(() => undefined)
  }
  const playAgain = useRef(play)
  playAgain.current = play
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address came, and playing was requested
  useEffect(() => {
    if (awaitsAddress.current) playAgain.current()
  }, [url])
  const toggle = () => (playing ? audio.current?.pause() : play())
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

/** Runs `frame` on every frame while `running`. */
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
