import { useQueryClient } from '@tanstack/react-query'
import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import type { Message } from './conversation-list.ts'
import type { ThreadItem } from './message-groups.ts'
import { discardMessage, retryMessage } from './outgoing.ts'
import { clock } from './row-time.ts'

type MessageItem = Extract<ThreadItem, { kind: 'message' }>

/** One message; the time and the ticks stand under the last of a group. */
export function Bubble({ item: { message, mine, first, last } }: { item: MessageItem }) {
  const side = mine ? 'self-end bg-accent text-on-accent' : 'self-start bg-sunken'
  const corner = last && (mine ? 'rounded-ee-[6px]' : 'rounded-es-[6px]')
  return (
    <>
      <p
        dir="auto"
        className={classNames(
          'max-w-[78%] flex-none rounded-l px-[15px] py-2.5 leading-[1.4] wrap-anywhere whitespace-pre-wrap',
          first ? 'mt-2.5' : 'mt-[3px]',
          side,
          corner,
        )}
      >
        {message.message}
      </p>
      {last && <Meta message={message} mine={mine} />}
    </>
  )
}

function Meta({ message, mine }: { message: Message; mine: boolean }) {
  const { i18n } = useTranslation('conversations')
  if (message.delivery === 'failed') return <NotSent message={message} />
  return (
    <p
      className={classNames(
        'flex flex-none items-center gap-[5px] px-1 pt-1 text-xs text-ink-2',
        mine ? 'self-end' : 'self-start',
      )}
    >
      <time dateTime={message.timestamp}>{clock(message.timestamp, i18n.language)}</time>
      {mine && <Tick message={message} />}
    </p>
  )
}

function Tick({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  const state = message.delivery === 'pending' ? 'sending' : message.status
  const Icon = { sending: Clock, sent: Check, read: CheckCheck }[state]
  return (
    <>
      <Icon aria-hidden="true" className={classNames('size-4', state !== 'sending' && 'text-accent')} />
      <span className="sr-only">{t(`status.${state}`)}</span>
    </>
  )
}

function NotSent({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  const queryClient = useQueryClient()
  const act = 'min-h-11 px-1 font-semibold underline underline-offset-2'
  return (
    <p className="flex flex-none items-center gap-2 self-end px-1 text-s text-bad">
      <CircleAlert aria-hidden="true" className="size-4" />
      {t('notSent')}
      <button type="button" className={act} onClick={() => retryMessage(queryClient, message)}>
        {t('retry')}
      </button>
      <button type="button" className={act} onClick={() => discardMessage(queryClient, message)}>
        {t('delete')}
      </button>
    </p>
  )
}

/** Three dots while the other person types. */
export function TypingBubble() {
  const { t } = useTranslation('conversations')
  return (
    <p className="mt-2.5 flex h-11 flex-none items-center gap-1 self-start rounded-l rounded-es-[6px] bg-sunken px-[15px]">
      <span className="sr-only">{t('typing')}</span>
      {[0, 150, 300].map((delay) => (
        <span
          key={delay}
          aria-hidden="true"
          className="size-[7px] rounded-full bg-ink-3 motion-safe:animate-pulse"
          style={{ animationDelay: `${delay}ms` }}
        />
      ))}
    </p>
  )
}
