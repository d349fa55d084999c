import { Smile } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../../ui/boundary.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Popover } from '../../../ui/overlay/popover.tsx'
import { onGlass } from '../composer/on-glass.ts'

const EmojiPicker = lazily(() => import('./emoji-picker.tsx'))

interface EmojiButtonProps {
  box: RefObject<HTMLTextAreaElement | null>
  text: string
  write: (text: string) => void
}

/**
 * With a mouse, the picker closes after one emoji unless Shift is held. On touch screens it stays open, because it
 * replaces the keyboard.
 */
export function EmojiButton({ box, text, write }: EmojiButtonProps) {
  const { t } = useTranslation('thread')
  const [open, setOpen] = useState(false)
  const insert = (emoji: string, more: boolean) => {
    const { selectionStart: from = text.length, selectionEnd: to = text.length } = box.current ?? {}
    // biome-ignore lint/plugin/cut-text: a caret is always between characters
    write(text.slice(0, from) + emoji + text.slice(to))
    // Changing the text moves the caret to the end, so move it back afterwards.
    setTimeout(() => box.current?.setSelectionRange(from + emoji.length, from + emoji.length))
    if (!more && !onGlass()) setOpen(false)
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('emoji.open')}
      returnTo={onGlass() ? undefined : box}
      onNear={EmojiPicker.near}
      className="w-105"
      trigger={
        <IconButton
          label={t('emoji.open')}
          icon={<Smile aria-hidden="true" />}
          className="absolute! end-0.5 bottom-px"
        />
      }
    >
      {/* The container has its final height before the picker loads, so that the popover doesn't jump. */}
      <div className="h-[min(408px,64dvh)]">
        <Extra>
          <EmojiPicker onChoose={insert} />
        </Extra>
      </div>
    </Popover>
  )
}
