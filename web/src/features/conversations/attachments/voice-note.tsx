import { CircleAlert, Pause, Play } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import type { VoiceAttachment } from './attachments.api.ts'
import { type Player, usePlayer } from './voice-player.ts'
import { clockOf } from './waveform.ts'

interface VoiceNoteProps {
  note: VoiceAttachment
  /** Called when the audio fails to load, usually because its URL has expired. Refetch the message. */
  onExpired?: (() => void) | undefined
  className?: string
}

export function VoiceNote({ note, onExpired, className }: VoiceNoteProps) {
  const { t, i18n } = useTranslation('attachments')
  const player = usePlayer(note, onExpired)
  const started = player.playing || player.positionMs > 0
  return (
    <div className={classNames('flex w-64 max-w-full flex-wrap items-center gap-x-2.5', className)}>
      <button
        type="button"
        aria-label={player.playing ? t('pause') : t('play')}
        onClick={player.toggle}
        className="relative -ms-1 grid size-9 flex-none place-items-center rounded-full bg-current/12 transition after:absolute after:-inset-1 hover:bg-current/20 active:scale-95"
      >
        {player.playing ? (
          <Pause aria-hidden="true" className="size-4.5! fill-current" />
        ) : (
          <Play aria-hidden="true" className="mirror size-4.5! translate-x-px fill-current" />
        )}
      </button>
      <Scrubber note={note} player={player} />
      <span className="min-w-9 flex-none text-end text-xs tabular-nums opacity-85">
        {clockOf(started ? player.positionMs : note.durationMs, i18n.language)}
      </span>
      {player.failed && (
        <p role="alert" className="basis-full py-1 text-xs leading-snug">
          <CircleAlert aria-hidden="true" className="me-1.5 inline size-3.5! align-[-2px]" />
          {t('notPlayed')}
        </p>
      )}
    </div>
  )
}

const stepsMs: Record<string, number> = { ArrowUp: 1_000, ArrowDown: -1_000, PageUp: 10_000, PageDown: -10_000 }

/** The number of milliseconds by which a key moves the playback position. Arrow keys follow the text direction. */
function keyStep({ key, currentTarget }: KeyboardEvent, durationMs: number): number | undefined {
  const rightwards = getComputedStyle(currentTarget).direction === 'rtl' ? -1_000 : 1_000
  if (key === 'ArrowRight') return rightwards
  if (key === 'ArrowLeft') return -rightwards
  if (key === 'Home') return -durationMs
  return key === 'End' ? durationMs : stepsMs[key]
}

function Scrubber({ note: { durationMs, waveform }, player }: { note: VoiceAttachment; player: Player }) {
  const { t, i18n } = useTranslation('attachments')
  const held = useRef(false)
  const { positionMs, seek } = player
  const time = (ms: number) => clockOf(ms, i18n.language)
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = Math.max(0, Math.min(1, (clientX - left) / width))
    seek(durationMs * (getComputedStyle(currentTarget).direction === 'rtl' ? 1 - share : share))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = keyStep(event, durationMs)
    if (step === undefined) return
    // Without this, the message list would also handle the arrow keys.
    event.stopPropagation()
    event.preventDefault()
    seek(positionMs + step)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('position')}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={Math.floor(positionMs / 1000)}
      aria-valuetext={t('positionOf', { position: time(positionMs), duration: time(durationMs) })}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        held.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
        follow(event)
      }}
      onPointerMove={(event) => held.current && follow(event)}
      onLostPointerCapture={() => {
        held.current = false
      }}
      className="relative flex h-9 min-w-0 flex-1 cursor-pointer touch-none items-center justify-between gap-px rounded-s"
    >
      <Wave waveform={waveform} share={positionMs / durationMs} />
    </div>
  )
}

function Wave({ waveform, share }: { waveform: readonly number[]; share: number }) {
  const played = share * waveform.length
  return waveform.map((loudness, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the bars have a fixed order
      key={index}
      aria-hidden="true"
      className={classNames(
        'max-w-[2.5px] min-w-0 flex-1 rounded-full bg-current transition-opacity',
        index < played ? 'opacity-100' : 'opacity-40',
      )}
      style={{ height: `${12 + 0.8 * loudness}%` }}
    />
  ))
}
