import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { lastEmoji, moreEmoji } from './emoji.ts'

interface EmojiDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onChoose: (emoji: string) => void
}

/** Any emoji: one of a few more, or whatever the keyboard of the device types. */
export function EmojiDialog({ open, onOpenChange, onChoose }: EmojiDialogProps) {
  const { t } = useTranslation('thread')
  const [wrong, setWrong] = useState(false)
  const choose = (emoji: string) => {
    onChoose(emoji)
    onOpenChange(false)
  }
  const typed = (text: string) => {
    const emoji = lastEmoji(text)
    setWrong(text !== '' && !emoji)
    if (emoji) choose(emoji)
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('emoji.title')}>
      <ul className="-mx-1.5 mb-4 grid grid-cols-8 justify-items-center">
        {moreEmoji.map((emoji) => (
          <li key={emoji}>
            <button
              type="button"
              aria-label={t('reaction.with', { emoji })}
              onClick={() => choose(emoji)}
              className="grid size-11 place-items-center rounded-full text-xl/none transition hover:bg-sunken active:scale-90 max-[400px]:size-10"
            >
              {emoji}
            </button>
          </li>
        ))}
      </ul>
      <Field
        label={t('emoji.label')}
        hint={t('emoji.hint')}
        error={wrong ? t('emoji.wrong') : undefined}
        autoComplete="off"
        maxLength={32}
        onChange={(event) => typed(event.target.value)}
      />
    </Dialog>
  )
}
