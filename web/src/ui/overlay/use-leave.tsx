import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button.tsx'

/** Reasons not to close a dialog immediately when someone clicks outside it, presses Escape or goes back. */
export interface Unsaved {
  /**
   * Only the dialog's own buttons close it, because it shows something just once or waits for a response that the
   * person must see.
   */
  holds?: boolean | undefined
  /** Something other than text has been edited. Typed text is detected automatically. */
  edited?: boolean | undefined
}

type TextBox = HTMLInputElement | HTMLTextAreaElement
// Fields whose text would be lost. Excludes codes, passwords and searches, which are quick to type again.
const texts =
  ':is(textarea, input:not([type]), [type=text], [type=email]):not([autocomplete=one-time-code], [autocomplete=new-password], [role=combobox], [inputmode=search])'

const isText = (target: EventTarget): target is TextBox => target instanceof HTMLElement && target.matches(texts)

/**
 * Asks for confirmation before a dialog with unsaved input closes. If `ask` is set, render it in place of the footer.
 */
export function useLeave({ open = true, holds, edited }: Unsaved & { open?: boolean }, onLeave: () => void) {
  const { t } = useTranslation('ui')
  const typed = useRef(new Set<TextBox>())
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (!open) return
    const boxes = typed.current
    return () => {
      boxes.clear()
      setAsking(false)
    }
  }, [open])
  const hasText = () => [...typed.current].some((box) => box.isConnected && box.value.trim() !== '')
  const wasEdited = useRef(edited)
  // There is nothing left to discard once everything has been sent or undone, or the dialog has moved on to another step.
  useEffect(() => {
    if (asking && (edited !== wasEdited.current || (!edited && !hasText()))) setAsking(false)
    wasEdited.current = edited
  })
  const watch = ({ target }: FormEvent) => {
    if (isText(target)) typed.current.add(target)
  }
  const leave = () => {
    if (holds) return false
    if (!edited && !hasText()) return onLeave()
    setAsking(true)
    return false
  }
  const ask: ReactNode = asking && (
    <footer className="flex flex-wrap items-center justify-end gap-3 border-t border-line px-6 py-4">
      <p role="alert" className="min-w-40 flex-1 text-s font-medium">
        {t('unsaved.ask')}
      </p>
      <div className="flex gap-3">
        <Button variant="quiet" autoFocus onClick={() => setAsking(false)}>
          {t('unsaved.stay')}
        </Button>
        <Button variant="danger" onClick={onLeave}>
          {t('unsaved.discard')}
        </Button>
      </div>
    </footer>
  )
  return { leave, watch, ask }
}
