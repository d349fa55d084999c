import type { Like } from '@duet/contract/likes.ts'
import { Heart, Undo2, X } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import type { Tab } from './likes-lists.api.ts'
import { type Act, actsOf } from './use-answers.ts'

const icons = { like: Heart, pass: X, takeBack: Undo2, undo: Undo2 } as const
const looks: Record<Act, string> = {
  like: 'flex-1 bg-accent-soft text-accent hover:bg-accent hover:text-on-accent',
  pass: 'w-11 flex-none bg-sunken text-ink-2 hover:bg-line hover:text-ink',
  takeBack: 'flex-1 bg-sunken text-ink hover:bg-line',
  undo: 'w-11 flex-none bg-sunken text-ink-2 hover:bg-line hover:text-ink',
}
const isIconAlone = (act: Act) => act === 'pass' || act === 'undo'

interface LikeActsProps {
  like: Like
  tab: Tab
  onAct: (act: Act) => void
}

/** Pass and Undo pass are icon-only, because the card is narrow and the other action matters more. */
export function LikeActs({ like: { user }, tab, onAct }: LikeActsProps) {
  const { t } = useTranslation('likes')
  const choose = (act: Act) => (event: MouseEvent) => {
    moveFocus(event.currentTarget)
    onAct(act)
  }
  return (
    <div className="flex gap-2 p-3">
      {actsOf[tab].map((act) => {
        const Icon = icons[act]
        const label = t(act === 'like' && tab === 'received' ? 'act.likeBack' : `act.${act}`)
        return (
          <button
            key={act}
            type="button"
            aria-label={t('act.with', { act: label, name: user.name })}
            title={isIconAlone(act) ? label : undefined}
            onClick={choose(act)}
            className={classNames(
              'inline-flex h-11 min-w-0 items-center justify-center gap-1.5 rounded-full px-2 text-[15px] font-[620] transition active:scale-[.98] max-sm:text-s',
              looks[act],
            )}
          >
            <Icon aria-hidden="true" className="size-4.5 max-sm:size-4" />
            {!isIconAlone(act) && (
              <span
                className={classNames('line-clamp-2 leading-tight', actsOf[tab].length > 1 && 'max-[359px]:hidden')}
              >
                {label}
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}

/** The card is about to disappear, so move the keyboard focus to its neighbour. */
function moveFocus(button: Element): void {
  const card = button.closest('li')
  const neighbour = card?.nextElementSibling ?? card?.previousElementSibling
  const next = neighbour?.querySelector('a') ?? card?.closest<HTMLElement>('[tabindex="-1"]')
  next?.focus({ preventScroll: true })
}
