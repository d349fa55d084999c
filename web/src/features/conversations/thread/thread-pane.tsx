import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../platform/session.ts'
import { toast } from '../../../platform/toast.ts'
import { Extra } from '../../../ui/boundary.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { usePhotoAttach } from '../attachments/photo-attach.ts'
import { DropHint } from '../attachments/photo-preview.tsx'
import { chatOf } from '../browser-chat.ts'
import type { Conversation, Message } from '../chat/conversation-list.ts'
import { keyOf } from '../chat/messages.ts'
import { Composer } from '../composer/composer.tsx'
import { ReceivedNote } from '../composer/warning-notes.tsx'
import { useConversations, useSelection } from '../conversations.ts'
import { type Chosen, MessageActs } from '../message/message-acts.tsx'
import { type ComposeMode, type Spot, type ThreadActs, ThreadContext } from '../thread-acts.ts'
import { goToMessage } from '../thread-target.ts'
import { Log } from './log.tsx'
import { RequestBar } from './request-bar.tsx'
import { ThreadHeader } from './thread-header.tsx'
import { type Trust, useTrust } from './trust.ts'
import { useKeyboardRoom } from './use-keyboard-room.ts'
import { useOpen } from './use-open.ts'

const ThreadFind = lazily(() => import('./thread-find.tsx'))

interface ThreadPaneProps {
  id: string
  isPlace?: boolean
  onBack: () => void
}

export default function ThreadPane({ id, isPlace = false, onBack }: ThreadPaneProps) {
  const { data } = useConversations()
  const conversation = data?.find((known) => known.id === id)
  const { failed, retry } = useOpen(id, data !== undefined)
  const isGone = useSelection((state) => state.goneId === id)
  if (isGone) return <Gone {...{ isPlace, onBack }} />
  return <Thread {...{ id, conversation, failed, retry, isPlace, onBack }} />
}

function Gone({ isPlace, onBack }: Pick<ThreadProps, 'isPlace' | 'onBack'>) {
  const { t } = useTranslation('thread')
  const name = useSelection((state) => state.goneName)
  const action = (
    <Button variant="quiet" onClick={onBack}>
      {t('conversations:backToAll')}
    </Button>
  )
  return (
    <>
      {!isPlace && <ThreadHeader onBack={onBack} />}
      <div className="grid min-h-0 flex-1 place-content-center">
        {/* The text must not reveal whether the person left, blocked or unmatched. */}
        <EmptyState figure="people" text={name ? t('gone', { name }) : t('notAvailable')} action={action} />
      </div>
    </>
  )
}

interface ThreadProps {
  id: string
  /** Undefined until loaded. The composer stays mounted during loading, so it keeps its text and focus. */
  conversation: Conversation | undefined
  failed: boolean
  retry: () => void
  isPlace: boolean
  onBack: () => void
}

function Thread({ id, conversation, failed, retry, isPlace, onBack }: ThreadProps) {
  const [writing, setWriting] = useState<ComposeMode>()
  const [chosen, setChosen] = useState<Chosen>()
  const [finding, setFinding] = useState(false)
  const attach = usePhotoAttach(id)
  const openMenu = useCallback((message: Message, spot: Spot) => setChosen({ message, spot }), [])
  const chosenKey = chosen && keyOf(chosen.message)
  const viewerId = useSession((state) => state.user?.id ?? '')
  const trust = useTrust(conversation, viewerId)
  const acts = useActs(id, conversation, { viewerId, chosenKey, ...trust }, setWriting, openMenu)
  const remove = useDelete()
  const pane = useKeyboardRoom()
  const closeFind = () => {
    setFinding(false)
    pane.current?.querySelector<HTMLElement>('header [aria-haspopup]')?.focus()
  }
  return (
    <ThreadContext value={acts}>
      <div ref={pane} className="relative flex min-h-0 flex-1 flex-col" {...(conversation && attach.dropProps)}>
        <ThreadHeader {...{ conversation, isPlace, onBack }} onFind={() => setFinding(true)} />
        <div className="relative flex min-h-20 flex-1 flex-col">
          {finding && (
            <Extra onFail={() => setFinding(false)}>
              <ThreadFind onClose={closeFind} onChosen={() => setFinding(false)} />
            </Extra>
          )}
          {conversation?.messages ? <Log conversation={conversation} /> : <NotYet failed={failed} retry={retry} />}
        </div>
        {/* In a low window the notices scroll, so that the messages and the composer stay visible. */}
        <div className="min-h-0 overflow-y-auto">
          {conversation && <ReceivedNote key={id} conversation={conversation} met={trust.met} />}
          {conversation?.isRequest && <RequestBar conversation={conversation} onGone={onBack} />}
        </div>
        <Composer
          ready={conversation !== undefined}
          {...{ id, conversation, writing }}
          attach={conversation && attach}
          met={trust.met || !conversation}
          onWriting={setWriting}
        />
        <DropHint attach={attach} />
      </div>
      <MessageActs {...{ chosen, onBlocked: onBack, onDelete: remove }} onChange={setChosen} onDismiss={focusMessage} />
    </ThreadContext>
  )
}

function NotYet({ failed, retry }: Pick<ThreadProps, 'failed' | 'retry'>) {
  const { t } = useTranslation('thread')
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {failed ? <ErrorState text={t('cannotOpen')} onRetry={retry} /> : <ThreadSkeleton />}
    </div>
  )
}

/** The menu traps the focus while it is open, so wait until it has closed. */
function focusMessage(message: Message): void {
  const row = `[data-key="${CSS.escape(keyOf(message))}"]`
  setTimeout(() => document.querySelector<HTMLElement>(row)?.focus({ preventScroll: true }))
}

type OpenMenu = (message: Message, spot: Spot) => void

function useActs(
  id: string,
  conversation: Conversation | undefined,
  { viewerId, chosenKey, met: linksLive, photosOpen }: Trust & Pick<ThreadActs, 'viewerId' | 'chosenKey'>,
  setWriting: (writing: ComposeMode) => void,
  openMenu: OpenMenu,
) {
  const { t } = useTranslation('thread')
  const queryClient = useQueryClient()
  const { name = '', photo = null, isOnline = false, isTyping = false } = conversation?.user ?? {}
  return useMemo(
    () => ({
      peer: { id, name, photo, isOnline, isTyping },
      viewerId,
      chosenKey,
      linksLive,
      photosOpen,
      openMenu,
      reply: (message: Message) => setWriting({ kind: 'reply', message }),
      edit: (message: Message) => setWriting({ kind: 'edit', message }),
      react: (message: Message, emoji: string | null) =>
        void chatOf(queryClient)
          .messages.react(message, emoji)
          .catch(() => toast.error(t('reaction.failed'))),
      goTo: (seq: number) => goToMessage(id, seq),
    }),
    [
      id,
      name,
      photo,
      isOnline,
      isTyping,
      viewerId,
      chosenKey,
      linksLive,
      photosOpen,
      openMenu,
      setWriting,
      queryClient,
      t,
    ],
  )
}

function useDelete() {
  const { t } = useTranslation('thread')
  const queryClient = useQueryClient()
  return async (message: Message) => {
    try {
      await chatOf(queryClient).messages.remove(message)
    } catch {
      toast.error(t('deleteFailed'))
    }
  }
}

function ThreadSkeleton() {
  return (
    <div aria-hidden="true" className="flex h-full flex-col justify-end gap-2 p-4">
      <Skeleton className="h-11 w-3/5 rounded-l" />
      <Skeleton className="h-16 w-2/3 rounded-l" />
      <Skeleton className="h-11 w-1/2 self-end rounded-l" />
    </div>
  )
}
