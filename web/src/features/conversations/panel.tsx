import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute } from 'wouter'
import { useAddress } from '../../platform/address/address.tsx'
import { leaveTo } from '../../platform/address/leave-to.ts'
import { preloadTexts } from '../../platform/i18n.ts'
import { Extra } from '../../ui/boundary.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Announcer } from './announcer.tsx'
import { isWide, useOpenChat, useSelection } from './conversations.ts'
import { ConversationRows } from './list/conversation-rows.tsx'
import { BesideShape } from './thread/beside-shape.tsx'
import { useConnectionLost } from './use-connection-lost.ts'
import { useMedia } from './use-media.ts'

export interface MessagingPanelProps {
  /** The other person's id in the open conversation. If unset, the URL or the last selection determines it. */
  selectedId?: string | null
  onSelect?: (id: string | null) => void
  /** True on the chats screen, which in wide windows shows the list, the thread and the profile side by side. */
  isPlace?: boolean
  isHidden?: boolean
}

/**
 * Returns the open conversation's id and a function that opens another: by navigating in narrow windows, in place in
 * wide ones.
 */
function useSelected({ selectedId, onSelect }: MessagingPanelProps): [string | null, (id: string | null) => void] {
  const { pathname } = useAddress()
  const routeId = useRoute('/chat/:id')[1]?.id
  const openChat = useOpenChat()
  const chosen = useSelection((state) => state.selectedId)
  useLeaveEnded(routeId, chosen)
  useEffect(() => {
    const leaving = !routeId && (pathname === '/chat' || !isWide())
    if (selectedId !== undefined) useSelection.setState({ selectedId })
    else if (routeId || leaving) useSelection.setState({ selectedId: routeId ?? null })
  }, [selectedId, routeId, pathname])
  const choose = (id: string | null) => {
    if (onSelect) return onSelect(id)
    if (id) return openChat(id)
    if (isWide() && !routeId) return useSelection.setState({ selectedId: null })
    leaveTo('/chat')
  }
  return [selectedId === undefined ? chosen : selectedId, choose]
}

function useLeaveEnded(routeId: string | undefined, chosen: string | null): void {
  const before = useRef(chosen)
  useEffect(() => {
    if (routeId && chosen === null && before.current === routeId) leaveTo('/chat')
    before.current = chosen
  }, [routeId, chosen])
}

// The thread is most of the panel's code, and the list doesn't need it, so it loads separately.
const ThreadPane = lazily(async () => {
  const texts = preloadTexts('thread', 'attachments', 'profiles')
  const [module] = await Promise.all([import('./thread/thread-pane.tsx'), texts])
  return module
})

export default function Panel({ isPlace = false, isHidden = false, ...props }: MessagingPanelProps) {
  const { t } = useTranslation('conversations')
  const [selectedId, choose] = useSelected(props)
  const thread = selectedId && (
    <Extra fallback={<SkeletonRows />}>
      <ThreadPane key={selectedId} id={selectedId} isPlace={isPlace} onBack={() => choose(null)} />
    </Extra>
  )
  return (
    <section aria-label={t('title')} className="flex min-h-0 flex-1 flex-col">
      <Reconnecting />
      {/* The element structure is the same at every width, so that resizing the window doesn't remount the thread. */}
      <div className="flex min-h-0 flex-1">
        {(isPlace || !thread) && !isHidden && (
          <div
            className={classNames(
              'flex min-w-0 flex-col',
              isPlace ? 'w-84 flex-none border-e border-line min-[1440px]:w-90' : 'flex-1',
            )}
          >
            <ConversationRows openId={isPlace ? selectedId : undefined} onSelect={choose} onNear={ThreadPane.near} />
          </div>
        )}
        {(isPlace || thread) && <div className="flex min-w-0 flex-1 flex-col">{thread || <NothingOpen />}</div>}
        {isPlace && selectedId && <Beside key={selectedId} id={selectedId} />}
      </div>
      <Announcer />
    </section>
  )
}

function NothingOpen() {
  const { t } = useTranslation('conversations')
  return (
    <div className="m-auto">
      <EmptyState figure="letters" text={t('choose')} />
    </div>
  )
}

const PersonBeside = lazily(async () => {
  const [module] = await Promise.all([import('./thread/person-beside.tsx'), preloadTexts('profiles', 'catalogue')])
  return module
})

function Beside({ id }: { id: string }) {
  const roomy = useMedia('(min-width: 1440px)')
  const isGone = useSelection((state) => state.goneId === id)
  if (!roomy || isGone) return null
  return (
    <Extra fallback={<BesideShape />}>
      <PersonBeside id={id} />
    </Extra>
  )
}

function Reconnecting() {
  const { t } = useTranslation('conversations')
  const lost = useConnectionLost()
  return (
    <p role="status" className="flex-none text-center text-s text-ink-2">
      {lost && <span className="block bg-sunken px-4 py-1.5">{t(lost)}</span>}
    </p>
  )
}
