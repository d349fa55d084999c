import { memo, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import type { AlbumItem, MessageItem } from '../message/albums.ts'
import { Bubble, TypingBubble } from '../message/bubble.tsx'
import type { ThreadItem } from '../message/message-groups.ts'
import { useDayWords } from '../row-time.ts'
import { useThread } from '../thread-acts.ts'
import { Album } from './album.tsx'
import { LikedCard, type LikedRow } from './liked-card.tsx'
import { useMessageMenu } from './use-message-menu.ts'

export type Row = ThreadItem | AlbumItem | LikedRow | { kind: 'typing'; key: 'typing' }

interface ThreadRowProps {
  row: Row
  index: number
  start: number
  measure: Ref<HTMLLIElement>
  tabStop: string | undefined
  shines: string | undefined
}

export const ThreadRow = memo(function ThreadRow({ row, ...place }: ThreadRowProps) {
  if (row.kind === 'message') return <MessageRow item={row} {...place} />
  const { measure, index, start, ...marks } = place
  return (
    <li ref={measure} data-index={index} style={shifted(start)} className={base}>
      {row.kind === 'album' ? (
        <>
          <Speaker mine={row.mine} />
          <Album album={row} {...marks} />
        </>
      ) : (
        <Between row={row} />
      )}
    </li>
  )
})

const base = 'absolute inset-x-0 top-0 px-4'
const shifted = (start: number) => ({ transform: `translateY(${start}px)` })

function MessageRow({ item, index, start, measure, tabStop, shines }: Omit<ThreadRowProps, 'row'> & MessageOf) {
  const menu = useMessageMenu(item)
  const { chosenKey } = useThread()
  return (
    <li
      ref={measure}
      data-index={index}
      data-key={item.key}
      style={shifted(start)}
      tabIndex={item.key === tabStop ? 0 : -1}
      className={classNames(
        base,
        'group/row touch-manipulation transition-[background-color] duration-700 motion-reduce:transition-none focus-visible:-outline-offset-3',
        item.key === shines && 'bg-accent-soft',
        item.key === chosenKey && chosenLook,
      )}
      {...menu}
    >
      <Speaker mine={item.mine} />
      <Bubble item={item} />
    </li>
  )
}

interface MessageOf {
  item: MessageItem
}

const chosenLook = '[&_[data-bubble]]:outline-2 [&_[data-bubble]]:outline-offset-2 [&_[data-bubble]]:outline-accent'

function Speaker({ mine }: { mine: boolean }) {
  const { t } = useTranslation('thread')
  const { peer } = useThread()
  return <span className="sr-only">{mine ? t('fromYou') : t('from', { name: peer.name })}</span>
}

function Between({ row }: { row: Exclude<Row, { kind: 'message' | 'album' }> }) {
  const { t } = useTranslation('thread')
  if (row.kind === 'typing') return <TypingBubble />
  if (row.kind === 'liked') return <LikedCard row={row} />
  if (row.kind === 'day') return <Day timestamp={row.timestamp} />
  return (
    <p
      data-new
      className="flex items-center gap-3 py-2 text-[13px] font-semibold text-accent before:h-px before:flex-1 before:bg-accent/35 after:h-px after:flex-1 after:bg-accent/35"
    >
      {t('new')}
    </p>
  )
}

function Day({ timestamp }: { timestamp: string }) {
  const { i18n } = useTranslation('thread')
  return (
    <p className="pt-2 pb-2.5 text-center text-[13px] text-ink-2">
      <time dateTime={timestamp}>{useDayWords(timestamp, i18n.language)}</time>
    </p>
  )
}
