import { limits } from '@duet/contract/limits.ts'
import { permitted } from '../../../platform/permitted.ts'
import type { Recording } from './attachments.api.ts'
import { levelOf, waveformOf } from './waveform.ts'

export type CaptureProblem = 'denied' | 'noMicrophone' | 'unsupported' | 'failed'

export interface Capture {
  stop: () => Promise<Recording>
  cancel: () => void
}

interface Listening {
  /** Called every `stepMs`. `level` is the loudness from 0 to 1. */
  onLevel: (level: number, elapsedMs: number) => void
  onLimit: () => void
}

const longestMs = limits.voiceSeconds * 1000
const stepMs = 80
const wanted = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 }
const types = ['audio/webm;codecs=opus', 'audio/mp4;codecs=mp4a.40.2', 'audio/mp4', 'audio/ogg;codecs=opus']

export function captureProblem(error: unknown): CaptureProblem {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'noMicrophone'
  return name === 'NotSupportedError' ? 'unsupported' : 'failed'
}

const typeOf = () => types.find((type) => MediaRecorder.isTypeSupported(type))

async function openMicrophone(): Promise<MediaStream> {
  const devices = permitted(() => navigator.mediaDevices)
  if (!devices?.getUserMedia || typeof MediaRecorder === 'undefined' || !typeOf()) {
    throw new DOMException('This browser cannot record.', 'NotSupportedError')
  }
  return devices.getUserMedia({ audio: wanted })
}

function listenTo(stream: MediaStream): { level: () => number; close: () => void } {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  const samples = new Float32Array(analyser.fftSize)
  const level = () => {
    analyser.getFloatTimeDomainData(samples)
    return levelOf(Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length))
  }
  const close = () => void context.close()
  try {
    context.createMediaStreamSource(stream).connect(analyser)
  } catch (error) {
    close()
    throw error
  }
  void context.resume()
  return { level, close }
}

/** Throws the browser's error, which `captureProblem` can interpret. */
export async function startCapture({ onLevel, onLimit }: Listening): Promise<Capture> {
  const stream = await openMicrophone()
  try {
    return record(stream, { onLevel, onLimit })
  } catch (error) {
    silence(stream)
    throw error
  }
}

const silence = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

function record(stream: MediaStream, { onLevel, onLimit }: Listening): Capture {
  const recorder = new MediaRecorder(stream, { mimeType: typeOf() ?? '', audioBitsPerSecond: 24_000 })
  const sound = listenTo(stream)
  const parts: Blob[] = []
  const levels: number[] = []
  let startedAt = performance.now()
  let elapsed = 0
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.onstart = () => {
    startedAt = performance.now()
  }
  // Recording also stops when the microphone is unplugged or its permission revoked. What was recorded so far is kept.
  recorder.onstop = onLimit
  const step = setInterval(() => {
    elapsed = Math.min(longestMs, performance.now() - startedAt)
    levels.push(sound.level())
    onLevel(levels.at(-1) ?? 0, elapsed)
    if (elapsed >= longestMs) onLimit()
  }, stepMs)
  const letGo = () => {
    clearInterval(step)
    elapsed = Math.min(longestMs, performance.now() - startedAt)
    sound.close()
    silence(stream)
  }
  const stop = () =>
    new Promise<Recording>((resolve) => {
      const give = () => {
        const file = new Blob(parts, { type: recorder.mimeType })
        resolve({ file, durationMs: Math.max(1, Math.round(elapsed)), waveform: waveformOf(levels) })
      }
      const isOver = recorder.state === 'inactive'
      recorder.onstop = give
      if (!isOver) recorder.stop()
      letGo()
      if (isOver) give()
    })
  const cancel = () => {
    recorder.onstop = null
    if (recorder.state !== 'inactive') recorder.stop()
    letGo()
  }
  try {
    recorder.start()
  } catch (error) {
    clearInterval(step)
    sound.close()
    throw error
  }
  return { stop, cancel }
}
