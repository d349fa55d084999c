import { HeartHandshake, ShieldAlert, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../../platform/address/address.tsx'
import { whenPersonChanges } from '../../../platform/session.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { Conversation } from '../chat/conversation-list.ts'
import { receivedWarning, type Warning, warningOf } from './warnings.ts'

const icons: Record<Warning, ReactNode> = {
  away: <HeartHandshake aria-hidden="true" />,
  money: <ShieldAlert aria-hidden="true" />,
  threat: <TriangleAlert aria-hidden="true" />,
}

interface SendNudgeProps {
  text: string
  canSend: boolean
  onSend: () => void
}

export function SendNudge({ text, canSend, onSend }: SendNudgeProps) {
  const { t } = useTranslation('thread')
  const written = useDeferredValue(text)
  const warning = useMemo(() => warningOf(written), [written])
  if (!warning || !text.trim()) return null
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-accent-soft px-4 py-2 text-s">
      <span className="flex-none text-accent [&_.lucide]:size-5">{icons[warning]}</span>
      <p className="min-w-0 flex-[1_1_12rem] text-pretty">{t(`nudge.${warning}`)}</p>
      <Button variant="text" disabled={!canSend} onClick={onSend}>
        {t('nudge.send')}
      </Button>
    </div>
  )
}

// Dismissed warnings stay hidden until the page reloads or a more serious warning appears.
const putAway = new Map<string, Warning>()
whenPersonChanges(() => putAway.clear())

interface ReceivedNoteProps {
  conversation: Conversation
  met: boolean
}

export function ReceivedNote({ conversation: { id, messages = [] }, met }: ReceivedNoteProps) {
  const { t } = useTranslation('thread')
  const [away, setAway] = useState(putAway.get(id))
  const warning = useMemo(() => receivedWarning(messages, id, met), [messages, id, met])
  if (!warning || warning === away) return null
  const dismiss = () => {
    putAway.set(id, warning)
    setAway(warning)
  }
  return (
    <section
      aria-label={t(`warning.${warning}.title`)}
      className="flex-none border-t border-line bg-accent-soft py-2.5 ps-4 pe-1.5"
    >
      <div className="mx-auto flex max-w-180 items-start gap-3">
        <span className="flex-none pt-1.5 text-accent [&_.lucide]:size-5.5">{icons[warning]}</span>
        <div className="min-w-0 flex-1 py-1 text-s">
          <p className="font-[620]">{t(`warning.${warning}.title`)}</p>
          <p className="text-pretty text-ink-2">
            {t(`warning.${warning}.text`)}{' '}
            <Link to="/safety" className="inline-block font-[560] text-accent underline underline-offset-3">
              {t('warning.more')}
            </Link>
          </p>
        </div>
        <IconButton label={t('warning.close')} icon={<X aria-hidden="true" />} onClick={dismiss} />
      </div>
    </section>
  )
}
