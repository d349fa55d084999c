import { useCallback, useEffect, useRef, useState } from 'react'
import { useUnsent } from '../../../platform/service-worker.ts'
import {
  type Recording,
  type UploadProblem,
  uploadProblem,
  uploadVoice,
  type VoiceAttachment,
} from './attachments.api.ts'
import { type Capture, type CaptureProblem, captureProblem, startCapture } from './voice-capture.ts'

/** Shorter recordings are treated as accidental. */
const shortestMs = 500
const shownLevels = 40

/**
 * The state of the press on the record button: held down, tapped, released over the button, or released after sliding
 * away.
 */
export type Hold = 'down' | 'tapped' | 'released' | 'away'

export type VoiceState =
  | { step: 'asking' }
  | { step: 'recording'; elapsedMs: number; levels: readonly number[] }
  | { step: 'recorded'; recording: Recording; url: string; problem?: UploadProblem }
  | { step: 'sending'; recording: Recording; url: string; progress: number }
  | { step: 'failed'; problem: CaptureProblem | 'tooShort' }

interface VoiceRecording {
  state: VoiceState
  stop: () => void
  send: () => void
  retry: () => void
}

/**
 * Starts recording a voice message to `peerId` as soon as it mounts. Unmounting cancels the recording and its upload.
 */
export function useVoiceRecording(peerId: string, onSent: (note: VoiceAttachment) => boolean): VoiceRecording {
  const [state, setState] = useState<VoiceState>({ step: 'asking' })
  useUnsent(state.step !== 'failed')
  const [attempt, setAttempt] = useState(0)
  const capture = useRef<Capture>(undefined)
  const upload = useUpload(peerId, setState, onSent)
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])

  const finish = useCallback(
    async (andSend: boolean) => {
      const recording = await endOf(capture)
      // After unmounting, nothing would revoke the recording's object URL, which would leak memory.
      if (!recording || !isHere.current) return
      if (recording.durationMs < shortestMs) return setState({ step: 'failed', problem: 'tooShort' })
      const kept = { recording, url: URL.createObjectURL(recording.file) }
      setState({ step: 'recorded', ...kept })
      if (andSend) upload(kept)
    },
    [upload],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt starts a new recording
  useEffect(() => {
    let dropped = false
    const listening = {
      onLevel: (level: number, elapsedMs: number) => setState((now) => louder(now, level, elapsedMs)),
      onLimit: () => void finish(false),
    }
    startCapture(listening).then(
      (started) => {
        if (dropped) return started.cancel()
        capture.current = started
        setState({ step: 'recording', elapsedMs: 0, levels: [] })
      },
      (error) => !dropped && setState({ step: 'failed', problem: captureProblem(error) }),
    )
    return () => {
      dropped = true
      capture.current?.cancel()
      capture.current = undefined
    }
  }, [attempt, finish])
  useRevoke(state)

  const send = () => (state.step === 'recorded' ? upload(state) : void finish(true))
  const retry = () => {
    setState({ step: 'asking' })
    setAttempt((count) => count + 1)
  }
  return { state, stop: () => void finish(false), send, retry }
}

async function endOf(capture: { current: Capture | undefined }): Promise<Recording | undefined> {
  const running = capture.current
  capture.current = undefined
  return running?.stop()
}

function louder(now: VoiceState, level: number, elapsedMs: number): VoiceState {
  if (now.step !== 'recording') return now
  return { ...now, elapsedMs, levels: [...now.levels, level].slice(-shownLevels) }
}

function useUpload(peerId: string, setState: (to: VoiceState) => void, onSent: (note: VoiceAttachment) => boolean) {
  const running = useRef<AbortController>(undefined)
  const sent = useRef(onSent)
  sent.current = onSent
  useEffect(() => () => running.current?.abort(), [])
  return useCallback(
    ({ recording, url }: { recording: Recording; url: string }) => {
      running.current = new AbortController()
      const { signal } = running.current
      const onProgress = (progress: number) => setState({ step: 'sending', recording, url, progress })
      onProgress(0)
      const fail = (problem: UploadProblem) => setState({ step: 'recorded', recording, url, problem })
      uploadVoice(peerId, recording, { onProgress, signal }).then(
        (note) => !signal.aborted && !sent.current(note) && fail('offline'),
        (error) => !signal.aborted && fail(uploadProblem(error, 'voice')),
      )
    },
    [peerId, setState],
  )
}

function useRevoke(state: VoiceState): void {
  const url = 'url' in state ? state.url : undefined
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
}
