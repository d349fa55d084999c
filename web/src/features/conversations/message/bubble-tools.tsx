import { EllipsisVertical, Reply } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message } from '../chat/conversation-list.ts'
import { useThread } from '../thread-acts.ts'

const tool =
  'relative grid size-9 place-items-center rounded-full text-ink-2 transition hover:bg-sunken hover:text-ink after:absolute after:inset-x-0 after:-inset-y-1 [&_.lucide]:size-4.5'

/** Only for mouse users; the message menu offers the same actions to everyone. */
export function BubbleTools({ message }: { message: Message }) {
  const { t } = useTranslation('thread')
  const { reply, openMenu } = useThread()
  const more = ({ currentTarget }: MouseEvent) => {
    const { left, bottom } = currentTarget.getBoundingClientRect()
    openMenu(message, { x: left, y: bottom })
  }
  return (
    <span className="hidden flex-none opacity-0 transition group-focus-within/row:opacity-100 group-hover/row:opacity-100 [@media(hover:hover)]:flex">
      <button type="button" tabIndex={-1} aria-label={t('reply')} className={tool} onClick={() => reply(message)}>
        <Reply aria-hidden="true" className="mirror" />
      </button>
      <button type="button" tabIndex={-1} aria-label={t('messageActs')} className={tool} onClick={more}>
        <EllipsisVertical aria-hidden="true" />
      </button>
    </span>
  )
}
