import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { toneMarks } from './emoji-catalogue.ts'

const hand = '✋'
const tones = ['', ...toneMarks]
const round = 'grid size-11 flex-none place-items-center rounded-full text-xl/none transition hover:bg-sunken'

interface SkinTonesProps {
  tone: number
  open: boolean | undefined
  onOpen: () => void
  onTone: (tone: number) => void
}

export function SkinTones({ tone, open, onOpen, onTone }: SkinTonesProps) {
  const { t } = useTranslation('thread')
  if (!open)
    return (
      <button
        type="button"
        // biome-ignore lint/a11y/noAutofocus: the focused tone has just been removed
        autoFocus={open === false}
        aria-label={t('emoji.tone', { tone: t(`emoji.tones.${tone}`) })}
        aria-expanded={false}
        onClick={onOpen}
        className={round}
      >
        {hand + (tones[tone] ?? '')}
      </button>
    )
  return (
    <fieldset aria-label={t('emoji.skin')} className="flex h-11 flex-1 animate-fade justify-between">
      {tones.map((mark, index) => (
        <button
          key={mark}
          type="button"
          // biome-ignore lint/a11y/noAutofocus: shown only when the person asks for it
          autoFocus={index === tone}
          aria-label={t(`emoji.tones.${index}`)}
          aria-pressed={index === tone}
          onClick={() => onTone(index)}
          className={classNames(round, 'aria-pressed:bg-accent-soft')}
        >
          {hand + mark}
        </button>
      ))}
    </fieldset>
  )
}
