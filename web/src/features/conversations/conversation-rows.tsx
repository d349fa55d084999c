import type { Match } from '@duet/contract/matches.ts'
import type { ReactNode } from 'react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Face } from '../../ui/face.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { NewMatches, useMatches } from '../matches/matches.tsx'
import { type Conversation, newestFirst } from './conversation-list.ts'
import { useConversations, useUnreadTotal } from './conversations.ts'
import { rowTime } from './row-time.ts'

type OnSelect = (id: string) => void

/** Everybody I write with: whose turn it is, newest first. */
export function ConversationRows({ onSelect }: { onSelect: OnSelect }) {
  const { t } = useTranslation('conversations')
  const unread = useUnreadTotal()
  return (
    <>
      <header className="flex items-center gap-3 px-5.5 pt-5 pb-3">
        <h2 className="display text-xl">{t('title')}</h2>
        {unread > 0 && (
          <span>
            <Badge count={unread} />
            <span className="sr-only">{t('unread', { count: unread })}</span>
          </span>
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto pb-4">
        <Rows onSelect={onSelect} />
      </div>
    </>
  )
}

function Rows({ onSelect }: { onSelect: OnSelect }) {
  const { t } = useTranslation('conversations')
  const { data, isError, isFetching, refetch } = useConversations()
  const { data: matches = [] } = useMatches()
  const viewerId = useSession((state) => state.user?.id)
  if (!data && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={5} />
  const unwritten = unwrittenMatches(matches, data)
  if (data.length === 0 && unwritten.length === 0) return <NobodyYet />
  const list = newestFirst(data).filter(({ id }) => !unwritten.some(({ user }) => user.id === id))
  const theirs = list.filter(({ lastMessage }) => lastMessage?.senderId === viewerId)
  const mine = list.filter((conversation) => !theirs.includes(conversation))
  return (
    <>
      <NewMatches matches={unwritten} onSelect={onSelect} />
      <ul aria-label={t('conversations')}>
        <Group title={t('yourTurn')} list={mine} onSelect={onSelect} />
        <Group title={t('theirTurn')} list={theirs} onSelect={onSelect} />
      </ul>
    </>
  )
}

/** Matches with whom nothing was said yet, on any device. */
function unwrittenMatches(matches: readonly Match[], conversations: readonly Conversation[]): Match[] {
  const written = new Set(conversations.filter(({ lastMessage }) => lastMessage).map(({ id }) => id))
  return matches.filter(({ user, hasMessages }) => !hasMessages && !written.has(user.id))
}

function NobodyYet() {
  const { t } = useTranslation('conversations')
  const action = (
    <LinkButton to="/home" variant="quiet" className="lg:hidden">
      {t('discover')}
    </LinkButton>
  )
  return <EmptyState figure="letters" text={t('none')} action={action} />
}

function Group({ title, list, onSelect }: { title: string; list: Conversation[]; onSelect: OnSelect }) {
  const id = useId()
  if (list.length === 0) return null
  return (
    <li>
      <p id={id} className="px-5.5 pt-3.5 pb-1.5 text-[13px] font-semibold text-ink-2">
        {title}
      </p>
      <ul aria-labelledby={id}>
        {list.map((conversation) => (
          <Row key={conversation.id} conversation={conversation} onSelect={onSelect} />
        ))}
      </ul>
    </li>
  )
}

function Row({ conversation, onSelect }: { conversation: Conversation; onSelect: OnSelect }) {
  const { t, i18n } = useTranslation('conversations')
  const { id, user, lastMessage, unreadCount } = conversation
  return (
    <li>
      <button
        type="button"
        onClick={() => onSelect(id)}
        className="flex w-full items-center gap-3.5 px-5.5 py-3 text-start transition hover:bg-paper focus-visible:-outline-offset-2"
      >
        <Face name={user.name} photo={user.photo} size={52} online={user.isOnline} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-2">
            <span className="truncate font-[620]">
              {user.name}
              {user.isOnline && <span className="sr-only">, {t('online')}</span>}
            </span>
            {lastMessage && (
              <time dateTime={lastMessage.timestamp} className="flex-none text-[13px] text-ink-2">
                {rowTime(lastMessage.timestamp, new Date(), i18n.language)}
              </time>
            )}
          </span>
          <Line conversation={conversation} />
        </span>
        {unreadCount > 0 && (
          <span>
            <Badge count={unreadCount} />
            <span className="sr-only">{t('unread', { count: unreadCount })}</span>
          </span>
        )}
      </button>
    </li>
  )
}

function Line({ conversation: { user, lastMessage, unreadCount } }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const viewerId = useSession((state) => state.user?.id)
  if (user.isTyping) return <OneLine className="text-accent">{t('typing')}</OneLine>
  if (!lastMessage) return <OneLine className="text-ink-2">{t('sayHello')}</OneLine>
  const failed = lastMessage.delivery === 'failed'
  if (failed) return <OneLine className="text-bad">{t('notSent')}</OneLine>
  const mine = lastMessage.senderId === viewerId
  const text = mine ? t('you', { text: lastMessage.message }) : lastMessage.message
  return <OneLine className={unreadCount > 0 ? 'font-[540] text-ink' : 'text-ink-2'}>{text}</OneLine>
}

function OneLine({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className={classNames('block truncate text-[15px]', className)}>
      <bdi>{children}</bdi>
    </span>
  )
}
