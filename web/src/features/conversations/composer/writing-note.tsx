import { Pencil, Reply, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/icon-button.tsx'
import { briefly } from '../briefly.ts'
import { quoteOf } from '../chat/messages.ts'
import { type ComposeMode, useThread } from '../thread-acts.ts'

export function WritingNote({ writing: { kind, message }, onCancel }: { writing: ComposeMode; onCancel: () => void }) {
  const { t } = useTranslation('thread')
  const { peer, viewerId } = useThread()
  const name = message.senderId === viewerId ? t('yourself') : peer.name
  const Icon = kind === 'reply' ? Reply : Pencil
  return (
    <div className="flex animate-arrive items-center gap-3 ps-5 pe-2 pt-2">
      <Icon aria-hidden="true" className="mirror size-4.5! text-accent" />
      <p className="min-w-0 flex-1 border-s-2 border-accent ps-3 text-s">
        <span className="block truncate font-semibold">
          {kind === 'reply' ? t('replyingTo', { name }) : t('editing')}
        </span>
        <span className="block truncate text-ink-2">
          <bdi>{briefly(t, quoteOf(message))}</bdi>
        </span>
      </p>
      <IconButton label={t('cancel')} icon={<X aria-hidden="true" />} onClick={onCancel} />
    </div>
  )
}
