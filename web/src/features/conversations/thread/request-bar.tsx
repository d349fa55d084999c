import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { BlockConfirm } from '../../safety/safety.tsx'
import type { Conversation } from '../chat/conversation-list.ts'
import { useConversationActs } from '../use-conversation-acts.ts'

/** Replying accepts the request as well. */
export function RequestBar({ conversation, onGone }: { conversation: Conversation; onGone: () => void }) {
  const { t } = useTranslation('thread')
  const [blocking, setBlocking] = useState(false)
  const { accept, remove } = useConversationActs(conversation)
  const { id, user } = conversation
  const leave = async () => {
    if (await remove()) onGone()
  }
  return (
    <section className="flex-none border-t border-line bg-surface px-4 pt-3 pb-3.5">
      <div className="mx-auto max-w-172">
        <p className="mb-2.5 text-s text-pretty wrap-anywhere">{t('request.text', { name: user.name })}</p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void accept()}>{t('request.accept')}</Button>
          <Button variant="quiet" onClick={() => void leave()}>
            {t('request.remove')}
          </Button>
          <Button variant="danger" className="ms-auto" onClick={() => setBlocking(true)}>
            {t('request.block')}
          </Button>
        </div>
      </div>
      <BlockConfirm open={blocking} onOpenChange={setBlocking} person={{ id, name: user.name }} onBlocked={onGone} />
    </section>
  )
}
