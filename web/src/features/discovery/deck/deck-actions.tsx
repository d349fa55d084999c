import { Clock, Heart, Undo2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RoundAction } from '../../../ui/round-action.tsx'
import type { DeckAct } from './use-deck-keys.ts'

interface DeckActionsProps {
  name: string
  undoable: boolean
  /** The id of the text that explains why liking isn't possible; undefined if it is possible. */
  noLikes: string | undefined
  keys: boolean
  onAct: (act: DeckAct) => void
}

const resting = 'aria-disabled:text-ink-3 aria-disabled:hover:translate-y-0 aria-disabled:active:scale-100'

/** As with the arrow keys and swipes, Pass is on the left and Like on the right in every language. */
export function DeckActions({ name, undoable, noLikes, keys, onAct }: DeckActionsProps) {
  const { t } = useTranslation('discovery')
  const shortcut = (of: string) => (keys ? of : undefined)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are buttons
    <div
      role="group"
      aria-label={t('deck.acts', { name })}
      dir="ltr"
      className="flex items-center justify-center gap-4.5"
    >
      <RoundAction
        size="s"
        label={t('deck.undo')}
        title={t('deck.undo')}
        icon={<Undo2 aria-hidden="true" />}
        aria-disabled={!undoable}
        aria-keyshortcuts={shortcut('Z U')}
        onClick={() => undoable && onAct('undo')}
        className={resting}
      />
      <RoundAction
        label={t('deck.pass')}
        title={t('deck.pass')}
        icon={<X aria-hidden="true" className="size-6.5!" />}
        aria-keyshortcuts={shortcut('ArrowLeft')}
        onClick={() => onAct('pass')}
      />
      <RoundAction
        size="l"
        filled={!noLikes}
        label={t('deck.like')}
        title={t('deck.like')}
        icon={<Heart aria-hidden="true" className="size-7.5!" fill="currentColor" stroke="none" />}
        aria-disabled={Boolean(noLikes)}
        aria-describedby={noLikes}
        aria-keyshortcuts={shortcut('ArrowRight')}
        onClick={() => onAct('like')}
        className={noLikes ? 'bg-sunken! text-ink-3! hover:translate-y-0' : undefined}
      />
      <RoundAction
        label={t('deck.later')}
        title={t('deck.later')}
        icon={<Clock aria-hidden="true" />}
        aria-keyshortcuts={shortcut('ArrowUp')}
        onClick={() => onAct('later')}
      />
    </div>
  )
}
