import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useOpenChat } from '../../features/conversations/conversations.ts'
import { loadPanel } from '../../features/matches/load-panel.ts'
import { closeMatch, useMatchNews } from '../../features/matches/match-news.ts'
import { toast } from '../../platform/toast.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'

const MatchPanel = lazily(loadPanel)

interface MatchDialogProps {
  writeFirst: (queryClient: QueryClient, id: string, text: string) => Promise<boolean>
}

export function MatchDialog({ writeFirst }: MatchDialogProps) {
  const queryClient = useQueryClient()
  const openChat = useOpenChat()
  const { shown, arrived, said } = useMatchNews()
  const send = async (id: string, text: string) => {
    const went = await writeFirst(queryClient, id, text)
    if (went) openChat(id)
    return went
  }
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <Extra at={shown?.user.id} onFail={() => shown && closeMatch(shown.user.id)}>
        {shown && (
          <MatchPanel
            key={shown.user.id}
            match={shown}
            onSend={(text) => send(shown.user.id, text)}
            onClose={() => closeMatch(shown.user.id)}
          />
        )}
        {arrived && <Told id={arrived.user.id} name={arrived.user.name} openChat={openChat} />}
      </Extra>
    </>
  )
}

function Told({ id, name, openChat }: { id: string; name: string; openChat: (id: string) => void }) {
  const { t } = useTranslation('matches')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per match
  useEffect(() => {
    useMatchNews.setState({ arrived: null })
    toast.success(t('title', { name }), { act: { label: t('openChat'), onAct: () => openChat(id) } })
  }, [id])
  return null
}
