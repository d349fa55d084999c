import { type KeyboardEvent, type MouseEvent, memo, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { Bubble, type MessageItem, TypingBubble } from '../message/bubble.tsx'
import type { ThreadItem } from '../message/message-groups.ts'
import { actsOn } from '../message/message-rules.ts'
import { dayWords } from '../row-time.ts'
import { type Spot, useThread } from '../thread-acts.ts'
import { useLongPress } from '../use-long-press.ts'
import { LikedCard, type LikedRow } from './liked-card.tsx'

/** What stands in a thread, what was liked before it, and the dots while the other person types. */
export type Row = ThreadItem | LikedRow | { kind: 'typing'; key: 'typing' }

interface ThreadRowProps {
  row: Row
  index: number
  /** Pixels from the top of the thread. */
  start: number
  measure: Ref<HTMLLIElement>
  /** The one message that Tab leads to. */
  tabStop: boolean
  /** A message that was jumped to shines for a moment. */
  shines: boolean
}

/** One row of a thread, where the virtualiser puts it. */
export const ThreadRow = memo(function ThreadRow({ row, ...place }: ThreadRowProps) {
  if (row.kind === 'message') return <MessageRow item={row} {...place} />
  const { measure, index, start } = place
  return (
    <li ref={measure} data-index={index} style={shifted(start)} className={base}>
      <Between row={row} />
    </li>
  )
})

const base = 'absolute inset-x-0 top-0 px-4'
const shifted = (start: number) => ({ transform: `translateY(${start}px)` })

function MessageRow({ item, index, start, measure, tabStop, shines }: Omit<ThreadRowProps, 'row'> & MessageOf) {
  const menu = useMenuOf(item)
  const { chosenKey } = useThread()
  return (
    <li
      ref={measure}
      data-index={index}
      data-key={item.key}
      style={shifted(start)}
      tabIndex={tabStop ? 0 : -1}
      className={classNames(
        base,
        'group/row touch-manipulation transition-[background-color] duration-700 motion-reduce:transition-none focus-visible:-outline-offset-3',
        shines && 'bg-accent-soft',
        item.key === chosenKey && chosenLook,
      )}
      {...menu}
    >
      <Speaker item={item} />
      <Bubble item={item} />
    </li>
  )
}

interface MessageOf {
  item: MessageItem
}

// Around the bubble that an open menu belongs to.
const chosenLook = '[&_[data-bubble]]:outline-2 [&_[data-bubble]]:outline-offset-2 [&_[data-bubble]]:outline-accent'

/** What a double press puts on a message, or takes off again. */
const heart = '❤️'

/** The bubble, so that its menu opens beside it; a point of one that is so high that there would be no room. */
function spotAt(row: HTMLElement, mine: boolean, point?: Spot): Spot {
  const { left, top, bottom, width, height } = (row.querySelector('[data-bubble]') ?? row).getBoundingClientRect()
  if (height < window.innerHeight / 2) return { x: left, y: top, width, height, align: mine ? 'end' : 'start' }
  return point ?? { x: left, y: Math.min(bottom, window.innerHeight - 80) }
}

/** Right click, a resting finger, Enter and the menu key open the menu of a message; a double press is a heart. */
function useMenuOf({ message, mine }: MessageItem) {
  const { openMenu, react, viewerId } = useThread()
  const offers = () => actsOn(message, viewerId, Date.now())
  const open = (row: HTMLElement, point?: Spot) => {
    if (offers().length > 0) openMenu(message, spotAt(row, mine, point))
  }
  return {
    ...useLongPress((point, row) => open(row, point)),
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      if ((event.target as Element).closest('a') || window.getSelection()?.toString()) return
      event.preventDefault()
      const { clientX: x, clientY: y } = event
      // The menu key comes without a place of its own.
      open(event.currentTarget, x || y ? { x, y } : undefined)
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return
      event.preventDefault()
      open(event.currentTarget)
    },
    onDoubleClick: ({ target }: MouseEvent<HTMLElement>) => {
      const pressed = target as Element
      if (!pressed.closest('[data-bubble]') || pressed.closest('a, button') || !offers().includes('emoji')) return
      // It has selected a word, too.
      window.getSelection()?.removeAllRanges()
      const own = message.reactions?.find(({ userId }) => userId === viewerId)?.emoji
      react(message, own === heart ? null : heart)
    },
  }
}

function Speaker({ item: { mine } }: MessageOf) {
  const { t } = useTranslation('thread')
  const { peer } = useThread()
  return <span className="sr-only">{mine ? t('fromYou') : t('from', { name: peer.name })}</span>
}

function Between({ row }: { row: Exclude<Row, { kind: 'message' }> }) {
  const { t, i18n } = useTranslation('thread')
  if (row.kind === 'typing') return <TypingBubble />
  if (row.kind === 'liked') return <LikedCard row={row} />
  if (row.kind === 'day')
    return (
      <p className="pt-2 pb-2.5 text-center text-[13px] text-ink-2">
        <time dateTime={row.timestamp}>{dayWords(row.timestamp, new Date(), i18n.language)}</time>
      </p>
    )
  return (
    <p
      data-new
      className="flex items-center gap-3 py-2 text-[13px] font-semibold text-accent before:h-px before:flex-1 before:bg-accent/35 after:h-px after:flex-1 after:bg-accent/35"
    >
      {t('new')}
    </p>
  )
}
