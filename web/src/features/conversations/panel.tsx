import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute } from 'wouter'
import { navigate, useAddress } from '../../platform/address.tsx'
import { preloadTexts } from '../../platform/i18n.ts'
import { useSession } from '../../platform/session.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Announcer } from './announcer.tsx'
import { ConversationRows } from './conversation-rows.tsx'
import { isWide, useOpenChat, useSelection } from './conversations.ts'
import type { MessagingPanelProps } from './messaging-panel.tsx'

/** Which conversation is open, and how to open another: by the address on narrow windows, in place on wide ones. */
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
    navigate('/chat')
  }
  return [selectedId === undefined ? chosen : selectedId, choose]
}

/** A conversation that ended while it was open leaves the address, too. */
function useLeaveEnded(routeId: string | undefined, chosen: string | null): void {
  const before = useRef(chosen)
  useEffect(() => {
    if (routeId && chosen === null && before.current === routeId) navigate('/chat', { replace: true })
    before.current = chosen
  }, [routeId, chosen])
}

// The thread is most of the code of the panel, and nobody needs it to see who wrote.
const loadThread = () => import('./thread-pane.tsx')
const ThreadPane = lazy(async () => {
  const [module] = await Promise.all([loadThread(), preloadTexts('thread', 'attachments')])
  return module
})
const nearThread = () => {
  void loadThread()
  void preloadTexts('thread', 'attachments')
}

export default function Panel(props: MessagingPanelProps) {
  const { t } = useTranslation('conversations')
  const [selectedId, choose] = useSelected(props)
  return (
    <section aria-label={t('title')} className="flex min-h-0 flex-1 flex-col">
      <Reconnecting />
      {selectedId ? (
        <Suspense fallback={<SkeletonRows />}>
          <ThreadPane key={selectedId} id={selectedId} onBack={() => choose(null)} />
        </Suspense>
      ) : (
        <ConversationRows onSelect={choose} onNear={nearThread} />
      )}
      <Announcer />
    </section>
  )
}

const patience = 2_000

function Reconnecting() {
  const { t } = useTranslation('conversations')
  const broken = useSession((state) => state.socketStatus === 'reconnecting')
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!broken) return setLong(false)
    const timer = setTimeout(() => setLong(true), patience)
    return () => clearTimeout(timer)
  }, [broken])
  return (
    <p role="status" className="flex-none text-center text-s text-ink-2">
      {broken && long && <span className="block bg-sunken px-4 py-1.5">{t('reconnecting')}</span>}
    </p>
  )
}
