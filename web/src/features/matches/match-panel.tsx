import { limits } from '@duet/contract/limits.ts'
import type { Match } from '@duet/contract/matches.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/error-text.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useOwnFace } from '../accounts/accounts.ts'
import { MatchFaces } from './match-faces.tsx'
import { useMatchNews } from './match-news.ts'
import { openerTexts } from './openers.ts'

interface MatchPanelProps {
  match: Match
  /** Sends the first message and tells whether it went. */
  onSend: (text: string) => Promise<boolean>
  onClose: () => void
}

/** Two people like each other: who they are, three ways to begin, where to write. */
export default function MatchPanel({ match, onSend, onClose }: MatchPanelProps) {
  const { t } = useTranslation(['matches', 'catalogue'])
  const me = useSession((state) => state.user)
  const ownFace = useOwnFace()
  const [text, setText] = useState('')
  const { state, send } = useSending(onSend, onClose)
  const { user } = match
  const title = t('title', { name: user.name })
  useEffect(() => {
    useMatchNews.setState({ said: title })
    return () => useMatchNews.setState({ said: '' })
  }, [title])
  const foot = (
    <>
      <Button variant="quiet" onClick={onClose}>
        {t('keepBrowsing')}
      </Button>
      <Button busy={state === 'sending'} disabled={!text.trim()} onClick={() => void send(text)}>
        {t('send')}
      </Button>
    </>
  )
  return (
    <Dialog open onOpenChange={onClose} title={title} foot={foot}>
      <MatchFaces me={{ name: me?.name ?? '', photo: ownFace }} them={user} />
      <Openers match={match} text={text} onPick={setText} />
      <TextArea
        frameClassName="mt-5"
        label={t('firstMessage', { name: user.name })}
        dir="auto"
        rows={2}
        className="min-h-19"
        value={text}
        onChange={({ target }) => setText(target.value.slice(0, limits.messageLength))}
      />
      <FormError>{state === 'failed' && t('sendFailed')}</FormError>
    </Dialog>
  )
}

function useSending(onSend: MatchPanelProps['onSend'], onClose: () => void) {
  const [state, setState] = useState<'writing' | 'sending' | 'failed'>('writing')
  const send = async (text: string) => {
    setState('sending')
    if (await onSend(text.trim())) onClose()
    else setState('failed')
  }
  return { state, send }
}

interface OpenersProps {
  match: Match
  text: string
  onPick: (text: string) => void
}

function Openers({ match: { openers, user }, text, onPick }: OpenersProps) {
  const { t, i18n } = useTranslation(['matches', 'catalogue'])
  const texts = openerTexts(openers, user.name, t, i18n.language)
  if (texts.length === 0) return null
  return (
    <section aria-label={t('openers')} className="mt-3">
      <p className="mb-2 text-s font-[540] text-ink-2">{t('openersLead')}</p>
      <ul className="grid gap-2">
        {texts.map((words) => (
          <li key={words}>
            <button
              type="button"
              aria-pressed={text === words}
              onClick={() => onPick(words)}
              dir="auto"
              className="w-full rounded-m bg-sunken px-4 py-3 text-start text-[15px]/[1.4] transition wrap-anywhere hover:bg-line aria-pressed:bg-accent-soft aria-pressed:text-accent"
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
