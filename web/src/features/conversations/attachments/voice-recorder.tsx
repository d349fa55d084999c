import { Mic } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import type { VoiceAttachment } from './attachments.api.ts'
import type { Hold } from './use-voice-recording.ts'

const VoiceBar = lazily(() => import('./voice-bar.tsx'))

const holdMs = 400
/** Releasing at least this many pixels from the start cancels the recording. */
const awayPx = 96

interface VoiceRecorderProps {
  peerId: string
  disabled?: boolean
  /**
   * Called when the voice message is uploaded. Return false if it can't be sent now; the recorder then keeps it for
   * another attempt.
   */
  onRecorded: (note: VoiceAttachment) => boolean
  /** While active, the recorder fills the whole row, so hide the text box and the other buttons. */
  onActiveChange?: (active: boolean) => void
}

export function VoiceRecorder({ peerId, disabled = false, onRecorded, onActiveChange }: VoiceRecorderProps) {
  const { t } = useTranslation('attachments')
  const button = useRef<HTMLButtonElement>(null)
  const [hold, setHold] = useState<Hold>()
  const start = (how: Hold) => {
    setHold(how)
    onActiveChange?.(true)
  }
  const end = () => {
    setHold(undefined)
    onActiveChange?.(false)
  }
  const send = (note: VoiceAttachment) => {
    if (!onRecorded(note)) return false
    end()
    return true
  }
  const giveUp = () => {
    end()
    setTimeout(() => button.current?.focus())
  }
  const onPointerDown = useHold(hold, start, setHold)
  return (
    <>
      {hold && (
        <Extra fallback={<div className="h-11.5 flex-1 rounded-full bg-sunken" />} onFail={end}>
          <VoiceBar peerId={peerId} hold={hold} onSent={send} onClose={giveUp} />
        </Extra>
      )}
      <IconButton
        ref={button}
        label={t('record')}
        icon={<Mic aria-hidden="true" />}
        disabled={disabled}
        onPointerEnter={VoiceBar.near}
        onFocus={VoiceBar.near}
        onPointerDown={onPointerDown}
        onClick={({ detail }) => detail === 0 && start('tapped')}
        // Keep the pressed button in the page, because removing it would also end its pointer events.
        className={classNames('touch-none select-none', hold && 'pointer-events-none absolute! -z-10 opacity-0')}
        {...(hold && { tabIndex: -1, 'aria-hidden': true })}
      />
    </>
  )
}

function useHold(hold: Hold | undefined, start: (how: Hold) => void, change: (to: Hold) => void) {
  const down = useRef<{ at: number; x: number; y: number }>(undefined)
  const isDown = hold === 'down'
  useEffect(() => {
    if (!isDown) return
    const up = ({ type, clientX, clientY }: globalThis.PointerEvent) => {
      const from = down.current ?? { at: 0, x: 0, y: 0 }
      if (type === 'pointercancel' || performance.now() - from.at < holdMs) return change('tapped')
      change(Math.hypot(clientX - from.x, clientY - from.y) > awayPx ? 'away' : 'released')
    }
    addEventListener('pointerup', up)
    addEventListener('pointercancel', up)
    return () => {
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', up)
    }
  }, [isDown, change])
  return ({ button, isPrimary, clientX, clientY }: PointerEvent) => {
    if (button !== 0 || !isPrimary) return
    down.current = { at: performance.now(), x: clientX, y: clientY }
    start('down')
  }
}
