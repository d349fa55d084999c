import type { Match } from '@duet/contract/matches.ts'
import { Archive, ChevronRight, Search } from 'lucide-react'
import { type Ref, useCallback, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../platform/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Extra } from '../../../ui/boundary.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { useWayBack } from '../../../ui/use-way-back.ts'
import { NewMatches, useMatches } from '../../matches/matches.tsx'
import { PushInvitation } from '../../push/push.tsx'
import type { Conversation } from '../chat/conversation-list.ts'
import { conversationsNewestFirst } from '../chat/conversation-order.ts'
import { useConversations, useUnreadTotal } from '../conversations.ts'
import type { RowActs } from './conversation-row.tsx'
import { GroupTitle } from './group-title.tsx'
import { RowList } from './row-list.tsx'
import type { ChosenRow } from './row-menu.tsx'
import { Scrolling } from './scrolling.tsx'

const ListSearch = lazily(() => import('./list-search.tsx'))
const ArchivedRows = lazily(() => import('./archived-rows.tsx'))
const RowMenu = lazily(() => import('./row-menu.tsx'))

interface ConversationRowsProps {
  onSelect: (id: string) => void
  onNear: () => void
  /** The id of the conversation open beside the list: null if none is open, undefined if the list is shown alone. */
  openId?: string | null | undefined
}

export function ConversationRows(props: ConversationRowsProps) {
  const { data = [] } = useConversations()
  const [view, setView] = useState<'all' | 'search' | 'archived'>('all')
  const [chosen, setChosen] = useState<ChosenRow>()
  const onMenu = useCallback<RowActs['onMenu']>((conversation, spot, row) => setChosen({ conversation, spot, row }), [])
  const acts = { ...props, onMenu }
  const back = () => setView('all')
  const search = useWayBack<HTMLButtonElement>(view === 'search')
  const archive = useWayBack<HTMLButtonElement>(view === 'archived')
  return (
    <>
      {view === 'archived' && (
        <Extra fallback={<SkeletonRows />}>
          <ArchivedRows onBack={back} {...acts} />
        </Extra>
      )}
      {view === 'search' && (
        <Extra fallback={<SkeletonRows />}>
          <ListSearch conversations={data} onClose={back} {...acts} />
        </Extra>
      )}
      {view === 'all' && (
        <>
          <Head ref={search} onSearch={() => setView('search')} />
          <Scrolling place={view}>
            <Rows archive={archive} onArchive={() => setView('archived')} {...acts} />
          </Scrolling>
        </>
      )}
      {chosen && (
        <Extra onFail={() => setChosen(undefined)}>
          <RowMenu chosen={chosen} onClose={() => setChosen(undefined)} />
        </Extra>
      )}
    </>
  )
}

function Head({ ref, onSearch }: { ref: Ref<HTMLButtonElement>; onSearch: () => void }) {
  const { t } = useTranslation(['conversations', 'common'])
  const unread = useUnreadTotal()
  return (
    <header className="flex min-h-17 items-center gap-3 ps-5.5 pe-3.5 pt-4 pb-2">
      <h2 className="display text-xl">{t('common:nav.chats')}</h2>
      {unread > 0 && (
        <span>
          <span aria-hidden="true">
            <Badge count={unread} />
          </span>
          <span className="sr-only">{t('unread', { count: unread })}</span>
        </span>
      )}
      <IconButton
        ref={ref}
        label={t('search')}
        icon={<Search aria-hidden="true" />}
        onClick={onSearch}
        className="ms-auto text-ink-2"
      />
    </header>
  )
}

interface RowsProps extends RowActs {
  archive: Ref<HTMLButtonElement>
  onArchive: () => void
}

function Rows({ archive, onArchive, ...acts }: RowsProps) {
  const { t } = useTranslation('conversations')
  const { data, isError, isFetching, refetch } = useConversations()
  const { data: matches = [] } = useMatches()
  const viewerId = useSession((state) => state.user?.id)
  if (!data && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows rows={5} />
  const unwritten = unwrittenMatches(matches, data)
  if (data.length === 0 && unwritten.length === 0) return <NoOneYet isPlace={acts.openId !== undefined} />
  const isUnwritten = new Set(unwritten.map(({ user }) => user.id))
  const list = conversationsNewestFirst(data).filter(({ id }) => !isUnwritten.has(id))
  const { mine, theirs, requests, archived } = groupsOf(list, viewerId)
  return (
    <>
      <NewMatches matches={unwritten} onSelect={acts.onSelect} />
      <ul aria-label={t('conversations')}>
        <Group title={t('yourTurn')} list={mine} {...acts} />
        <Group title={t('theirTurn')} list={theirs} {...acts} />
        <Group title={t('requests')} list={requests} {...acts} />
      </ul>
      {unwritten.length + mine.length + theirs.length > 0 && <PushInvitation />}
      {archived.length > 0 && <ArchiveRow ref={archive} count={archived.length} onOpen={onArchive} />}
    </>
  )
}

function groupsOf(list: readonly Conversation[], viewerId: string | undefined) {
  const shown = list.filter(({ archived }) => !archived)
  const known = shown.filter(({ isRequest }) => !isRequest)
  const isTheirs = ({ lastMessage }: Conversation) => lastMessage?.senderId === viewerId
  return {
    mine: known.filter((conversation) => !isTheirs(conversation)),
    theirs: known.filter(isTheirs),
    requests: shown.filter(({ isRequest }) => isRequest),
    archived: list.filter(({ archived }) => archived),
  }
}

function unwrittenMatches(matches: readonly Match[], conversations: readonly Conversation[]): Match[] {
  const written = new Set(conversations.filter(({ lastMessage }) => lastMessage).map(({ id }) => id))
  return matches.filter(({ user, hasMessages }) => !hasMessages && !written.has(user.id))
}

function NoOneYet({ isPlace }: { isPlace: boolean }) {
  const { t } = useTranslation('conversations')
  const action = (
    // In wide windows the panel is beside the deck that this button leads to, so it is hidden there.
    <LinkButton to="/home" variant="quiet" className={isPlace ? '' : 'lg:hidden'}>
      {t('discover')}
    </LinkButton>
  )
  return <EmptyState figure="letters" text={t('none')} action={action} />
}

function Group({ title, list, ...acts }: RowActs & { title: string; list: Conversation[] }) {
  const id = useId()
  if (list.length === 0) return null
  return (
    <li>
      <GroupTitle id={id}>{title}</GroupTitle>
      <RowList aria-labelledby={id} list={list} {...acts} />
    </li>
  )
}

interface ArchiveRowProps {
  ref: Ref<HTMLButtonElement>
  count: number
  onOpen: () => void
}

function ArchiveRow({ ref, count, onOpen }: ArchiveRowProps) {
  const { t } = useTranslation('conversations')
  return (
    <button
      ref={ref}
      type="button"
      onClick={onOpen}
      className="mt-2 flex w-full items-center gap-3.5 px-5.5 py-3 text-start text-ink-2 transition hover:bg-paper focus-visible:-outline-offset-2"
    >
      <span className="grid size-13 flex-none place-items-center rounded-full bg-sunken">
        <Archive aria-hidden="true" />
      </span>
      <span className="flex-1">
        <span className="block font-[540] text-ink">{t('archived')}</span>
        <span className="block text-[15px]">{t('archivedCount', { count })}</span>
      </span>
      <ChevronRight aria-hidden="true" className="mirror" />
    </button>
  )
}
