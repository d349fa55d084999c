import { ArrowDown } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { Bubble, TypingBubble } from './bubble.tsx'
import type { Conversation } from './conversation-list.ts'
import { useSelection } from './conversations.ts'
import { type ThreadItem, threadItems } from './message-groups.ts'
import { dayWords } from './row-time.ts'
import { useThreadScroll } from './use-thread-scroll.ts'

/** What was said, oldest at the top. Silent to screen readers: new messages are announced apart from it. */
export function Log({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('conversations')
  const viewerId = useSession((state) => state.user?.id ?? '')
  const newFromSeq = useSelection((state) => state.newFromSeq)
  const { messages = [], user } = conversation
  const items = useMemo(() => threadItems(messages, viewerId, newFromSeq), [messages, viewerId, newFromSeq])
  const scroll = useThreadScroll(conversation, viewerId, newFromSeq)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroll.ref}
        onScroll={scroll.onScroll}
        role="log"
        aria-live="off"
        aria-label={t('with', { name: user.name })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="flex flex-1 flex-col overflow-y-auto overscroll-contain p-4 [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        {scroll.loading && <Spinner className="mx-auto flex-none text-ink-2" />}
        <div className="mt-auto" />
        {items.length === 0 && (
          <p className="m-auto max-w-64 text-center text-ink-2">{t('first', { name: user.name })}</p>
        )}
        {items.map((item) => (
          <Item key={item.key} item={item} />
        ))}
        {user.isTyping && <TypingBubble />}
      </div>
      {scroll.away && (
        <button
          type="button"
          onClick={scroll.jump}
          className="absolute inset-x-0 bottom-3 mx-auto flex h-11 w-fit animate-arrive items-center gap-2 rounded-full bg-surface px-4 text-s font-[560] shadow-one outline-line"
        >
          <ArrowDown aria-hidden="true" className="size-4" />
          {scroll.below > 0 ? t('newBelow', { count: scroll.below }) : t('jump')}
        </button>
      )}
    </div>
  )
}

function Item({ item }: { item: ThreadItem }) {
  const { t, i18n } = useTranslation('conversations')
  if (item.kind === 'day')
    return (
      <p className="self-center pt-3.5 pb-2.5 text-[13px] text-ink-2">
        <time dateTime={item.timestamp}>{dayWords(item.timestamp, new Date(), i18n.language)}</time>
      </p>
    )
  if (item.kind === 'new')
    return (
      <p
        data-new
        className="my-3 flex items-center gap-3 text-[13px] font-semibold text-accent before:h-px before:flex-1 before:bg-accent/35 after:h-px after:flex-1 after:bg-accent/35"
      >
        {t('new')}
      </p>
    )
  return <Bubble item={item} />
}
