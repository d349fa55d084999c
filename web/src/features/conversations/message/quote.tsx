import type { Quote as QuoteOf } from '@duet/contract/conversations.ts'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { useHidden } from '../../privacy/privacy.tsx'
import { briefly } from '../briefly.ts'
import { useThread } from '../thread-acts.ts'

export function Quote({ quote, mine }: { quote: QuoteOf; mine: boolean }) {
  const { t } = useTranslation('thread')
  const { peer, viewerId, goTo } = useThread()
  const name = quote.senderId === viewerId ? t('yourself') : peer.name
  const isHidden = useHidden()
  const isFolded = quote.senderId !== viewerId && isHidden(quote.message)
  const words = isFolded ? t('conversations:hidden.text') : briefly(t, quote)
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={t('goToQuote', { name, text: words })}
      onClick={() => goTo(quote.seq)}
      className={classNames(
        'mb-2 block w-full border-s-[3px] ps-3 text-start text-s leading-[1.35] focus-visible:outline-current',
        mine ? 'border-current/70' : 'border-accent/60',
      )}
    >
      <span className="block truncate font-semibold">
        <bdi>{name}</bdi>
      </span>
      <span className={classNames('line-clamp-2', mine ? 'opacity-90' : 'text-ink-2')}>
        <bdi>{words}</bdi>
      </span>
    </button>
  )
}
