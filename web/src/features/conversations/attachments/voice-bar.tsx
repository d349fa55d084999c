import { limits } from '@duet/contract/limits.ts'
import { ArrowUp, CircleAlert, Square, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { VoiceAttachment } from './attachments.api.ts'
import { type Hold, useVoiceRecording, type VoiceState } from './use-voice-recording.ts'
import { VoiceNote } from './voice-note.tsx'
import { clockOf } from './waveform.ts'

/** The elapsed time turns red when fewer than this many milliseconds are left. */
const endingMs = 10_000

interface VoiceBarProps {
  peerId: string
  hold: Hold
  /** Returns false if the message can't be sent at the moment. */
  onSent: (note: VoiceAttachment) => boolean
  onClose: () => void
}

export default function VoiceBar({ peerId, hold, onSent, onClose }: VoiceBarProps) {
  const { t } = useTranslation('attachments')
  const { state, stop, send, retry } = useVoiceRecording(peerId, onSent)
  useSendOrCloseOnRelease(hold, state, send, onClose)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is only a shortcut for the buttons inside
    <div onKeyDown={onKeyDown} className="flex min-w-0 flex-1 animate-fade items-center gap-2">
      {state.step === 'failed' ? (
        <IconButton label={t('ui:close')} icon={<X aria-hidden="true" />} onClick={onClose} />
      ) : (
        <IconButton label={t('discard')} icon={<Trash2 aria-hidden="true" />} onClick={onClose} />
      )}
      <div className="flex min-h-11.5 min-w-0 flex-1 items-center gap-3 rounded-[24px] bg-sunken px-4">
        <Inside state={state} hold={hold} onRetry={retry} />
      </div>
      {state.step === 'recording' && hold !== 'down' && (
        <IconButton
          label={t('stop')}
          icon={<Square aria-hidden="true" className="size-4.5! fill-current" />}
          onClick={stop}
        />
      )}
      {state.step !== 'failed' && <SendButton step={state.step} onClick={send} />}
    </div>
  )
}

/** Sends or closes when the button is released. A release before recording has started is ignored. */
function useSendOrCloseOnRelease(hold: Hold, state: VoiceState, send: () => void, onClose: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the press ends
  useEffect(() => {
    if (hold === 'away') onClose()
    if (hold === 'released' && state.step === 'recording') send()
  }, [hold])
}

function SendButton({ step, onClick }: { step: VoiceState['step']; onClick: () => void }) {
  const { t } = useTranslation('attachments')
  const button = useRef<HTMLButtonElement>(null)
  const busy = step === 'sending'
  // Entering a new step removes the focused button from the page, so focus the new one.
  useLayoutEffect(() => {
    if (step === 'recording' || step === 'recorded') button.current?.focus()
  }, [step])
  return (
    <button
      ref={button}
      type="button"
      aria-label={t('sendVoice')}
      aria-busy={busy || undefined}
      disabled={step === 'asking'}
      onClick={busy ? undefined : onClick}
      className="grid size-11.5 flex-none place-items-center rounded-full bg-accent text-on-accent transition hover:bg-accent-hover active:scale-95 disabled:bg-sunken disabled:text-ink-3"
    >
      {busy ? <Spinner className="size-5" /> : <ArrowUp aria-hidden="true" />}
    </button>
  )
}

function Inside({ state, hold, onRetry }: { state: VoiceState; hold: Hold; onRetry: () => void }) {
  const { t } = useTranslation('attachments')
  if (state.step === 'asking')
    return (
      <p role="status" className="truncate text-s text-ink-2">
        {t('asking')}
      </p>
    )
  if (state.step === 'recording') return <Recording state={state} hold={hold} />
  if (state.step === 'failed')
    return (
      <Problem words={t(`problem.${state.problem}`)}>
        {state.problem !== 'unsupported' && (
          <button
            type="button"
            onClick={onRetry}
            className="relative ms-2 font-semibold underline underline-offset-2 after:absolute after:-inset-x-2 after:-inset-y-3"
          >
            {t('retry')}
          </button>
        )}
      </Problem>
    )
  const { url, recording } = state
  const note = { kind: 'voice', id: url, url, durationMs: recording.durationMs, waveform: recording.waveform } as const
  return (
    <div className="min-w-0 flex-1 py-1">
      <VoiceNote note={note} className="w-full" />
      {state.step === 'recorded' && state.problem && <Problem words={t(`problem.${state.problem}`)} />}
    </div>
  )
}

function Problem({ words, children }: { words: string; children?: ReactNode }) {
  return (
    <div role="alert" className="min-w-0 flex-1 py-1.5 text-s leading-snug text-bad">
      <CircleAlert aria-hidden="true" className="me-1.5 inline size-4 align-[-3px]" />
      {words}
      {children}
    </div>
  )
}

function Recording({ state, hold }: { state: Extract<VoiceState, { step: 'recording' }>; hold: Hold }) {
  const { t, i18n } = useTranslation('attachments')
  const isEnding = state.elapsedMs > limits.voiceSeconds * 1000 - endingMs
  return (
    <>
      <span role="status" className="sr-only">
        {t('recording')}
      </span>
      <span aria-hidden="true" className="size-2.5 flex-none rounded-full bg-accent motion-safe:animate-pulse" />
      <span
        role="timer"
        className={classNames('min-w-9 flex-none text-s font-[620] tabular-nums', isEnding && 'text-bad')}
      >
        {clockOf(state.elapsedMs, i18n.language)}
      </span>
      <Levels levels={state.levels} />
      {hold === 'down' && <span className="flex-none truncate text-xs text-ink-2">{t('slideAway')}</span>}
    </>
  )
}

function Levels({ levels }: { levels: readonly number[] }) {
  return (
    <span aria-hidden="true" className="flex h-7 min-w-0 flex-1 items-center justify-end gap-[3px] overflow-hidden">
      {levels.map((level, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars stay in place while the levels move
          key={index}
          className="w-[3px] flex-none rounded-full bg-ink-2"
          style={{ height: `${12 + 88 * level}%` }}
        />
      ))}
    </span>
  )
}
