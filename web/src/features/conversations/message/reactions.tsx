import type { Reaction } from '@duet/contract/conversations.ts'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import type { Message } from '../chat/conversation-list.ts'
import { useThread } from '../thread-acts.ts'

const round = 'grid h-7 min-w-9 place-items-center rounded-full bg-surface px-2 text-[15px]/none shadow-one outline-1'

/** Pressing my own reaction removes it; pressing the other person's adds the same emoji as mine. */
export function Reactions({ message, mine }: { message: Message; mine: boolean }) {
  const { reactions = [] } = message
  if (reactions.length === 0) return null
  return (
    <div className={classNames('-mt-2 flex gap-1 px-2', mine ? 'self-end' : 'self-start')}>
      {reactions.map((reaction) => (
        <ReactionButton key={reaction.userId} {...{ message, reaction }} />
      ))}
    </div>
  )
}

function ReactionButton({ message, reaction: { userId, emoji } }: { message: Message; reaction: Reaction }) {
  const { t } = useTranslation('thread')
  const { viewerId, peer, react } = useThread()
  const own = userId === viewerId
  const both = (message.reactions ?? []).every((other) => other.emoji === emoji)
  const label = own ? t('reaction.own', { emoji }) : t('reaction.theirs', { emoji, name: peer.name })
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      aria-pressed={own || (both && (message.reactions?.length ?? 0) > 1)}
      onClick={() => react(message, own ? null : emoji)}
      className={classNames(
        round,
        'relative animate-arrive transition after:absolute after:inset-x-0 after:-inset-y-2 hover:scale-110',
        own ? 'outline-accent' : 'outline-line',
      )}
    >
      {emoji}
    </button>
  )
}
