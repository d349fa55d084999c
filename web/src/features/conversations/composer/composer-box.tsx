import { limits } from '@duet/contract/limits.ts'
import { asProse } from '@duet/contract/written-text.ts'
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { useGrowing } from '../../../ui/form/use-growing.ts'
import { wordsDir } from '../../../ui/form/words-dir.ts'
import type { Message } from '../chat/messages.ts'
import { EmojiButton } from '../emoji/emoji-button.tsx'
import { onGlass } from './on-glass.ts'

/** The character counter appears when this many characters are left. */
const countFrom = 200

// Safari ends an IME composition before it fires the key event that ended it. Only key code 229 identifies that event.
const composing = ({ nativeEvent }: KeyboardEvent) => nativeEvent.isComposing || nativeEvent.keyCode === 229

interface ComposerBoxProps {
  box: RefObject<HTMLTextAreaElement | null>
  text: string
  empty: boolean
  write: (text: string) => void
  typing: { stop: () => void }
  submit: () => void
  changeable: () => Message | undefined
  onEdit: (message: Message) => void
  onEscape?: (() => void) | undefined
  onPaste?: ((event: ClipboardEvent) => void) | undefined
}

/**
 * Enter sends and Shift+Enter starts a new line; on touch screens, Enter starts a new line. The up arrow edits the last
 * message.
 */
export function ComposerBox({ box, text, empty, write, typing, ...acts }: ComposerBoxProps) {
  const { t } = useTranslation(['thread', 'ui'])
  useGrowing(box, text)
  const onKeyDown = useKeys({ empty, ...acts })
  const left = limits.messageLength - asProse(text).length
  const leftWords = left < 0 ? t('ui:tooLong', { count: -left }) : t('left', { count: left })
  return (
    // The emoji button's side depends on the direction of the page, not of the text.
    <div className="relative min-w-0 flex-1 rounded-[23px] bg-sunken pe-11.5 outline-ink-3 has-[textarea:focus-visible]:outline-[1.5px]">
      <textarea
        ref={box}
        aria-label={t('message')}
        placeholder={t('write')}
        dir={wordsDir({ value: text })}
        aria-invalid={left < 0 || undefined}
        rows={1}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={acts.onPaste}
        onBlur={typing.stop}
        className="field-sizing-content block max-h-[166px] min-h-11.5 w-full resize-none rounded-[inherit] bg-transparent px-4.5 py-[11px] leading-6 outline-none placeholder:text-ink-2"
      />
      <EmojiButton {...{ box, text, write }} />
      {left <= countFrom && (
        <span
          title={leftWords}
          className={classNames(
            'pointer-events-none absolute end-3 -top-3 rounded-full bg-surface px-2 text-xs shadow-one',
            left < 0 ? 'font-medium text-bad' : 'text-ink-2',
          )}
        >
          <span aria-hidden="true" dir="ltr">
            {left}
          </span>
          <span className="sr-only">{leftWords}</span>
        </span>
      )}
    </div>
  )
}

type Keys = Pick<ComposerBoxProps, 'empty' | 'submit' | 'changeable' | 'onEdit' | 'onEscape'>

function useKeys({ empty, submit, changeable, onEdit, onEscape }: Keys) {
  return (event: KeyboardEvent) => {
    if (composing(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !onGlass()) {
      event.preventDefault()
      submit()
    }
    if (event.key === 'Escape' && onEscape) {
      event.preventDefault()
      event.stopPropagation()
      onEscape()
    }
    const last = event.key === 'ArrowUp' && empty ? changeable() : undefined
    if (!last) return
    event.preventDefault()
    onEdit(last)
  }
}
