import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Spinner } from '../../../ui/spinner.tsx'
import { useMatches } from '../../matches/matches.tsx'
import { useHeard } from '../attachments/voice-player.ts'
import { chatOf } from '../browser-chat.ts'
import { type Conversation, hasNewer, hasOlder } from '../chat/conversation-list.ts'
import { useSelection } from '../conversations.ts'
import { messagesOf, withAlbums } from '../message/albums.ts'
import { threadItems } from '../message/message-groups.ts'
import { useThread } from '../thread-acts.ts'
import { withLiked } from './liked-rows.ts'
import { type Row, ThreadRow } from './thread-row.tsx'
import { useGoTo } from './use-go-to.ts'
import { usePages } from './use-pages.ts'
import { useReading } from './use-reading.ts'
import { useRoving } from './use-roving.ts'
import { type LogVirtualizer, useThreadScroll } from './use-thread-scroll.ts'

function useHeardRow(rows: readonly Row[]): number {
  const heard = useHeard(({ id }) => id)
  if (heard === undefined) return -1
  return rows.findIndex((row) => messagesOf(row).some(({ message }) => message.attachment?.id === heard))
}

/** Not a live region, because `Announcer` announces new messages. */
export function Log({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('thread')
  const starts = useRef(new Set<string>())
  const rows = useRows(conversation, starts.current)
  const ref = useRef<HTMLDivElement>(null)
  const show = useRef<(index: number) => void>(() => undefined)
  const roving = useRoving(rows, ref, show)
  const keep = [roving.index, useHeardRow(rows)] as const
  const scroll = useThreadScroll({ ref, rows, keep, partial: hasNewer(conversation) })
  const { virtualizer, atEnd } = scroll
  show.current = (index) => virtualizer.scrollToIndex(index)
  const pages = usePages(conversation, ref, starts.current)
  const toNewest = useNewest(conversation, virtualizer)
  const shining = useGoTo(conversation, rows, virtualizer)
  useOpening(rows, virtualizer)
  const { lead } = roving
  useEffect(() => {
    // When the search closes, the focus falls to the body, so move it to the message that was found.
    if (shining && document.activeElement === document.body) lead(shining)
  }, [shining, lead])
  useReading(conversation, atEnd)
  const below = useBelow(conversation, atEnd)
  const items = virtualizer.getVirtualItems()
  const tabStop = roving.active ?? items.flatMap(({ index }) => messagesOf(rows[index])).at(-1)?.key
  const onScroll = () => {
    scroll.look()
    pages.look()
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={ref}
        onScroll={onScroll}
        role="log"
        aria-live="off"
        aria-label={t('with', { name: conversation.user.name })}
        className="flex flex-1 flex-col overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div className="mt-auto" />
        {rows.length === 0 && <Beginning name={conversation.user.name} />}
        <ol
          className="relative mx-auto w-full max-w-180 flex-none"
          style={{ height: virtualizer.getTotalSize() }}
          {...roving.handlers}
        >
          {items.map(({ key, index, start }) => {
            const row = rows[index]
            const own = (key: string | undefined) => messagesOf(row).find((message) => message.key === key)?.key
            const marks = { tabStop: own(tabStop), shines: own(shining) }
            return (
              row && <ThreadRow key={key} {...{ row, index, start, ...marks }} measure={virtualizer.measureElement} />
            )
          })}
        </ol>
      </div>
      {pages.loading && (
        <span className="absolute inset-x-0 top-2 mx-auto grid size-9 place-items-center rounded-full bg-surface text-ink-2 shadow-one">
          <Spinner className="size-4.5" />
        </span>
      )}
      {(scroll.away || below > 0) && <JumpToNewest count={below} onJump={toNewest} />}
    </div>
  )
}

function Beginning({ name }: { name: string }) {
  const { t } = useTranslation('thread')
  return <p className="m-auto max-w-64 px-4 text-center text-pretty text-ink-2">{t('first', { name })}</p>
}

function JumpToNewest({ count, onJump }: { count: number; onJump: () => void }) {
  const { t } = useTranslation('thread')
  return (
    <button
      type="button"
      onClick={onJump}
      className="absolute inset-x-0 bottom-3 mx-auto flex h-11 w-fit animate-arrive items-center gap-2 rounded-full bg-surface px-4 text-s font-[560] shadow-one outline-line"
    >
      <ArrowDown aria-hidden="true" className="size-4!" />
      {count > 0 ? t('newBelow', { count }) : t('jump')}
    </button>
  )
}

/** The rows of a conversation. The first day separator is omitted while older messages may load above it. */
function useRows(conversation: Conversation, starts: ReadonlySet<string>): Row[] {
  const { messages = [], user } = conversation
  const more = hasOlder(conversation)
  const { viewerId } = useThread()
  const firstNew = useSelection((state) => state.newFromSeq)
  // After my reply, no message counts as new.
  const isAnswered = messages.some(({ senderId, seq = 0 }) => senderId === viewerId && seq > (firstNew ?? seq))
  const newFromSeq = isAnswered ? undefined : firstNew
  const liked = useMatches().data?.find((match) => match.user.id === user.id)?.liked
  return useMemo(() => {
    const items = threadItems(messages, viewerId, newFromSeq)
    const known = more && items[0]?.kind === 'day' ? items.slice(1) : items
    const rows = withLiked(withAlbums(known, starts), liked, { viewerId, peerId: user.id, whole: !more })
    return user.isTyping ? [...rows, { kind: 'typing', key: 'typing' }] : rows
  }, [messages, more, viewerId, newFromSeq, starts, liked, user.id, user.isTyping])
}

function useOpening(rows: readonly Row[], virtualizer: LogVirtualizer): void {
  const before = useRef<{ divider: boolean; lastKey: string }>(undefined)
  const divider = rows.findIndex(({ kind }) => kind === 'new')
  const last = messagesOf(rows.findLast((row) => messagesOf(row).length > 0)).at(-1)
  useLayoutEffect(() => {
    const was = before.current
    if (!last) return
    before.current = { divider: divider >= 0, lastKey: last.key }
    if (divider >= 0 && !was?.divider) virtualizer.scrollToIndex(divider, { align: 'center' })
    else if (!was || (was.lastKey !== last.key && last.mine)) virtualizer.scrollToEnd()
  }, [divider, last, virtualizer])
}

function useNewest(conversation: Conversation, virtualizer: LogVirtualizer) {
  const queryClient = useQueryClient()
  const [wanted, setWanted] = useState(false)
  const partial = hasNewer(conversation)
  // Wait until the newest page has rendered.
  useLayoutEffect(() => {
    if (!wanted || partial) return
    setWanted(false)
    virtualizer.scrollToEnd()
  }, [wanted, partial, virtualizer])
  return () => {
    setWanted(true)
    if (!partial) return
    chatOf(queryClient)
      .pages.newest(conversation.id)
      .catch((error: unknown) => {
        setWanted(false)
        console.error('Could not load the newest messages.', error)
      })
  }
}

function useBelow({ messages = [] }: Conversation, atEnd: boolean): number {
  const { viewerId } = useThread()
  const newest = messages.at(-1)?.seq ?? 0
  const [seen, setSeen] = useState(newest)
  if (atEnd && newest > seen) setSeen(newest)
  return atEnd ? 0 : messages.filter(({ seq = 0, senderId }) => senderId !== viewerId && seq > seen).length
}
