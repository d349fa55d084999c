import { BellOff, EllipsisVertical } from 'lucide-react'
import { type MouseEvent, memo, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../platform/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Face } from '../../../ui/photo/face.tsx'
import { useHidden } from '../../privacy/privacy.tsx'
import { briefly } from '../briefly.ts'
import type { Conversation } from '../chat/conversation-list.ts'
import { quoteOf } from '../chat/messages.ts'
import { useDraftTo } from '../composer/drafts.ts'
import { useRowTime } from '../row-time.ts'
import type { Spot } from '../thread-acts.ts'
import { useLongPress } from '../use-long-press.ts'

export interface RowActs {
  onSelect: (id: string) => void
  /** When the menu closes, return the focus to `row` or the button in it. */
  onMenu: (conversation: Conversation, spot: Spot, row: HTMLElement) => void
  /** Called on hover or focus, to preload the thread's code. */
  onNear?: (() => void) | undefined
  openId?: string | null | undefined
}

export interface RowListProps extends RowActs {
  list: readonly Conversation[]
  'aria-label'?: string
  'aria-labelledby'?: string
}

interface RowProps extends Omit<RowActs, 'openId'> {
  conversation: Conversation
  isOpen: boolean
  /**
   * Set only in a virtualized list: the row's offset from the top of the list in CSS pixels, its index, and the number
   * of rows.
   */
  top?: number
  index?: number
  count?: number
  measure?: Ref<HTMLLIElement>
}

export const ConversationRow = memo(function ConversationRow({ isOpen, onSelect, onNear, ...row }: RowProps) {
  const { t } = useTranslation('conversations')
  const { conversation, index, top, count, measure } = row
  const menu = useRowMenu(conversation, row.onMenu)
  return (
    <li
      ref={measure}
      data-id={conversation.id}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index === undefined ? undefined : index + 1}
      className={classNames('group', top === undefined ? 'relative' : 'absolute inset-x-0')}
      style={{ top }}
    >
      <button
        type="button"
        onClick={() => onSelect(conversation.id)}
        onPointerEnter={onNear}
        onFocus={onNear}
        aria-current={isOpen || undefined}
        {...menu.row}
        className="flex w-full items-center gap-3.5 px-5.5 py-3 text-start transition select-none hover:bg-paper active:bg-sunken aria-[current=true]:bg-sunken focus-visible:-outline-offset-2"
      >
        <Inside {...{ conversation, isOpen }} />
      </button>
      {/* On touch screens a long press opens the menu, so this button is for screen readers and keyboards. */}
      <button
        type="button"
        aria-label={t('rowActs', { name: conversation.user.name })}
        aria-haspopup="menu"
        onClick={menu.more}
        onFocus={onNear}
        className="absolute end-3 top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-full bg-paper text-ink-2 opacity-0 shadow-[0_0_0_8px_var(--paper)] transition group-hover:opacity-100 hover:bg-sunken hover:text-ink focus-visible:opacity-100 [@media(hover:none)]:not-focus-visible:sr-only"
      >
        <EllipsisVertical aria-hidden="true" />
      </button>
    </li>
  )
})

function useRowMenu(conversation: Conversation, onMenu: RowActs['onMenu']) {
  const open = (row: HTMLElement, { x, y }: Spot) => {
    const { left, bottom } = row.getBoundingClientRect()
    // A context menu opened with the keyboard has no pointer position.
    onMenu(conversation, x || y ? { x, y } : { x: left + 24, y: bottom - 12 }, row)
  }
  const press = useLongPress((spot, row) => open(row, spot))
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    open(event.currentTarget, { x: event.clientX, y: event.clientY })
  }
  const more = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const { left, bottom } = currentTarget.getBoundingClientRect()
    onMenu(conversation, { x: left, y: bottom }, currentTarget as HTMLElement)
  }
  return { row: { ...press, onContextMenu }, more }
}

interface ShownRow {
  conversation: Conversation
  /** True if the thread is open beside the list. The row then doesn't repeat its draft or messages being sent. */
  isOpen: boolean
}

function Inside({ conversation, isOpen }: ShownRow) {
  const { t, i18n } = useTranslation('conversations')
  const { user, lastMessage, unreadCount, muted } = conversation
  const time = useRowTime(lastMessage?.timestamp, i18n.language)
  return (
    <>
      <Face name={user.name} photo={user.photo} size={52} online={user.isOnline} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className="flex min-w-0 items-center gap-1.5">
            <span dir="auto" className="truncate font-[620]">
              {user.name}
              {user.isOnline && <span className="sr-only">, {t('online')}</span>}
            </span>
            {muted && (
              <>
                <BellOff aria-hidden="true" className="size-3.5! text-ink-2" />
                <span className="sr-only">, {t('muted')}</span>
              </>
            )}
          </span>
          {lastMessage && (
            <time
              dateTime={lastMessage.timestamp}
              className="flex-none text-[13px] text-ink-2 transition group-hover:opacity-0"
            >
              {time}
            </time>
          )}
        </span>
        <ConversationPreview {...{ conversation, isOpen }} />
      </span>
      {unreadCount > 0 && (
        <span>
          <span aria-hidden="true">
            <Badge count={unreadCount} className={muted ? 'bg-sunken! text-ink-2!' : ''} />
          </span>
          <span className="sr-only">{t('unread', { count: unreadCount })}</span>
        </span>
      )}
    </>
  )
}

function ConversationPreview({ conversation: { id, user, lastMessage, unreadCount }, isOpen }: ShownRow) {
  const { t } = useTranslation('conversations')
  const draft = useDraftTo(id)
  const viewerId = useSession((state) => state.user?.id)
  const isHidden = useHidden()
  if (user.isTyping) return <OneLine className="text-accent">{t('typing')}</OneLine>
  if (lastMessage?.delivery === 'failed') return <OneLine className="text-bad">{t('notSent')}</OneLine>
  if (draft.trim() && !isOpen)
    return (
      <OneLine className="text-ink-2" lead={<span className="font-[540] text-accent">{t('draft')} </span>}>
        {draft}
      </OneLine>
    )
  if (!lastMessage) return <OneLine className="text-ink-2">{t('sayHello')}</OneLine>
  if (lastMessage.delivery === 'pending' && !isOpen) return <OneLine className="text-ink-2">{t('sending')}</OneLine>
  const isOwn = lastMessage.senderId === viewerId
  const words = !isOwn && isHidden(lastMessage.message) ? t('hidden.text') : briefly(t, quoteOf(lastMessage))
  const mine = isOwn && !lastMessage.deletedAt
  const look = unreadCount > 0 ? 'font-[540] text-ink' : 'text-ink-2'
  return (
    <OneLine className={classNames(look, lastMessage.deletedAt && 'italic')} lead={mine ? t('you', { text: '' }) : ''}>
      {words}
    </OneLine>
  )
}

function OneLine({ className, lead, children }: { className: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <span className={classNames('flex text-[15px]', className)}>
      {lead && <span className="flex-none whitespace-pre">{lead}</span>}
      {/* The text is truncated at the end of its own direction but aligned with the list. */}
      <span dir="auto" className="min-w-0 truncate">
        {children}
      </span>
    </span>
  )
}
