import { useQueryClient } from '@tanstack/react-query'
import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../platform/session.ts'
import { classNames } from '../../../ui/class-names.ts'
import { chatOf } from '../browser-chat.ts'
import type { Message } from '../chat/conversation-list.ts'
import { clock, weekdayAndTime } from '../row-time.ts'

export function BubbleMeta({ message, mine }: { message: Message; mine: boolean }) {
  const { i18n } = useTranslation('thread')
  if (isStuck(message)) return <NotSent message={message} />
  return (
    <p className={classNames('flex items-center gap-[5px] px-1 pt-1 text-xs text-ink-2', mine && 'self-end')}>
      <time dateTime={message.timestamp}>{clock(message.timestamp, i18n.language)}</time>
      {mine && !message.deletedAt && <Ticks message={message} />}
    </p>
  )
}

const icons = { sending: Clock, sent: Check, delivered: CheckCheck, read: CheckCheck }

type Progress = keyof typeof icons

export const progressOf = ({ delivery, status }: Message): Progress => (delivery === 'pending' ? 'sending' : status)

function Ticks({ message }: { message: Message }) {
  const { t } = useTranslation('thread')
  const offline = useSession((state) => state.socketStatus !== 'connected')
  const state = progressOf(message)
  if (state === 'sending' && offline)
    return (
      <>
        <Clock aria-hidden="true" className="size-3.5!" />
        {t('sendingLater')}
      </>
    )
  return <Tick state={state} />
}

export function Tick({ state }: { state: Progress }) {
  const { t } = useTranslation('thread')
  const Icon = icons[state]
  return (
    <span title={t(`status.${state}`)}>
      <Icon aria-hidden="true" className={classNames('size-4!', state === 'read' && 'stroke-[2.25] text-accent')} />
      <span className="sr-only">{t(`status.${state}`)}</span>
    </span>
  )
}

export const isStuck = ({ delivery, refusal }: Message): boolean => delivery === 'failed' || refusal !== undefined

/** `what` identifies the message where several failed messages are listed. */
export function NotSent({ message, what }: { message: Message; what?: string }) {
  const { t } = useTranslation('thread')
  const queryClient = useQueryClient()
  const act = 'min-h-11 px-1 font-semibold underline underline-offset-2'
  const failed = message.delivery === 'failed'
  return (
    <p
      className={classNames(
        'flex max-w-full flex-wrap items-center justify-end gap-x-2 self-end px-1 text-s',
        failed ? 'text-bad' : 'text-ink-2',
      )}
    >
      <span className="flex min-w-0 items-center gap-2">
        {failed ? (
          <CircleAlert aria-hidden="true" className="size-4! flex-none" />
        ) : (
          <Clock aria-hidden="true" className="size-4! flex-none" />
        )}
        <span>
          {what && `${what}: `}
          <NotSentWords message={message} />
        </span>
      </span>
      {failed && (
        <button type="button" className={act} onClick={() => chatOf(queryClient).retry(message)}>
          {t('retry')}
        </button>
      )}
      <button type="button" className={act} onClick={() => chatOf(queryClient).outbox.drop(message)}>
        {t('delete')}
      </button>
    </p>
  )
}

function NotSentWords({ message: { delivery, refusal, retryAt } }: { message: Message }) {
  const { t, i18n } = useTranslation('thread')
  if (delivery !== 'failed') return t('stillTrying')
  if (refusal === 'restricted') return t('restricted')
  if (retryAt && Date.parse(retryAt) > Date.now()) return t('limited', { when: weekdayAndTime(retryAt, i18n.language) })
  return t('conversations:notSent')
}
