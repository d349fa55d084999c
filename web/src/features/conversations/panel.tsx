import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useMatch, useNavigate } from 'react-router'
import { useSession } from '../../platform/session.ts'
import { ConversationRows } from './conversation-rows.tsx'
import { useSelection } from './conversations.ts'
import type { MessagingPanelProps } from './messaging-panel.tsx'
import { Thread } from './thread.tsx'

const isWide = () => window.matchMedia('(min-width: 1024px)').matches

/** Which conversation is open, and how to open another: by the address on narrow windows, in place on wide ones. */
function useSelected({ selectedId, onSelect }: MessagingPanelProps): [string | null, (id: string | null) => void] {
  const { pathname } = useLocation()
  const routeId = useMatch('/chat/:id')?.params.id
  const navigate = useNavigate()
  const chosen = useSelection((state) => state.selectedId)
  useEffect(() => {
    const leaving = !routeId && (pathname === '/chat' || !isWide())
    if (selectedId !== undefined) useSelection.setState({ selectedId })
    else if (routeId || leaving) useSelection.setState({ selectedId: routeId ?? null })
  }, [selectedId, routeId, pathname])
  const choose = (id: string | null) => {
    if (onSelect) return onSelect(id)
    const elsewhere = isWide() && !routeId
    if (elsewhere) return useSelection.setState({ selectedId: id })
    void navigate(id ? `/chat/${id}` : '/chat')
  }
  return [selectedId === undefined ? chosen : selectedId, choose]
}

export default function Panel(props: MessagingPanelProps) {
  const { t } = useTranslation('conversations')
  const [selectedId, choose] = useSelected(props)
  return (
    <section aria-label={t('title')} className="flex min-h-0 flex-1 flex-col">
      <Reconnecting />
      {selectedId ? (
        <Thread key={selectedId} id={selectedId} onBack={() => choose(null)} />
      ) : (
        <ConversationRows onSelect={choose} />
      )}
      <Announcer />
    </section>
  )
}

function Reconnecting() {
  const { t } = useTranslation('conversations')
  const status = useSession((state) => state.socketStatus)
  return (
    <p role="status" className="text-center text-s text-ink-2">
      {status === 'reconnecting' && <span className="block bg-sunken px-4 py-1.5">{t('reconnecting')}</span>}
    </p>
  )
}

/** Says aloud what comes in; the thread itself stays silent. */
function Announcer() {
  const announced = useSelection((state) => state.announced)
  return (
    <p aria-live="polite" className="sr-only">
      {announced && `${announced.name}: ${announced.text}`}
    </p>
  )
}
