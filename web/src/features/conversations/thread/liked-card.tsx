import type { LikedItemView } from '@duet/contract/likes.ts'
import { Heart } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { Photograph } from '../../../ui/photo/photograph.tsx'
import { useThread } from '../thread-acts.ts'

export interface LikedRow {
  kind: 'liked'
  key: string
  mine: boolean
  item: LikedItemView
}

/** Shows a liked photo or answer on the side of the person who liked it. Their comment is the message below it. */
export function LikedCard({ row: { mine, item } }: { row: LikedRow }) {
  const { t } = useTranslation(['thread', 'profiles'])
  const { peer } = useThread()
  const side = mine ? 'mine' : 'theirs'
  return (
    <figure className={classNames('flex flex-col gap-1.5 pt-1 pb-2', mine ? 'items-end' : 'items-start')}>
      <figcaption className="flex items-center gap-1.5 px-1 text-[13px] text-ink-2">
        <Heart aria-hidden="true" className="size-3.5! fill-current text-accent" />
        {t(`liked.${side}.${item.kind}`, { name: peer.name })}
      </figcaption>
      {item.kind === 'photo' && item.photo && (
        <span className="block aspect-3/4 w-30 overflow-hidden rounded-l shadow-one">
          <Photograph photo={item.photo} sizes="120px" fallbackAlt={t(`liked.${side}.photo`, { name: peer.name })} />
        </span>
      )}
      {item.kind === 'prompt' && (
        <blockquote className="max-w-[78%] rounded-l border border-line bg-paper px-4 py-3">
          <p className="text-[13px] text-ink-2">{t(`profiles:prompts.${item.prompt}`)}</p>
          <p dir="auto" className="mt-1 line-clamp-4 text-pretty font-display text-[17px] leading-[1.3] wrap-anywhere">
            {item.answer}
          </p>
        </blockquote>
      )}
    </figure>
  )
}
