import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { toast } from '../../platform/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Composer } from './composer.tsx'
import type { Conversation, Message } from './conversation-list.ts'
import { deleteMessage, reactToMessage } from './conversations.api.ts'
import { useConversations } from './conversations.ts'
import { Log } from './log.tsx'
import { type Chosen, MessageActs } from './message-acts.tsx'
import { keyOf } from './messages.ts'
import { usePhotoAttach } from './photo-attach.ts'
import { DropHint } from './photo-preview.tsx'
import { RequestBar } from './request-bar.tsx'
import { type Spot, ThreadContext, type Writing } from './thread-acts.ts'
import { ThreadHeader } from './thread-header.tsx'
import { goToMessage } from './thread-target.ts'
import { type Trust, useTrust } from './trust.ts'
import { useKeyboardRoom } from './use-keyboard-room.ts'
import { useOpen } from './use-open.ts'
import { ReceivedNote } from './warning-notes.tsx'

const ThreadFind = lazy(() => import('./thread-find.tsx'))

interface ThreadPaneProps {
  id: string
  onBack: () => void
}

/** One conversation: who it is with, what was said, where to write. */
export default function ThreadPane({ id, onBack }: ThreadPaneProps) {
  const { data } = useConversations()
  const conversation = data?.find((known) => known.id === id)
  const { failed, retry } = useOpen(id, data !== undefined)
  if (conversation) return <Known conversation={conversation} {...{ failed, retry, onBack }} />
  return (
    <>
      <ThreadHeader onBack={onBack} />
      <NotYet failed={failed} retry={retry} />
      <Composer id={id} ready={false} />
    </>
  )
}

interface KnownProps {
  conversation: Conversation
  failed: boolean
  retry: () => void
  onBack: () => void
}

function Known({ conversation, failed, retry, onBack }: KnownProps) {
  const [writing, setWriting] = useState<Writing>()
  const [chosen, setChosen] = useState<Chosen>()
  const [finding, setFinding] = useState(false)
  const attach = usePhotoAttach(conversation.id)
  const openMenu = useCallback((message: Message, spot: Spot) => setChosen({ message, spot }), [])
  const viewerId = useSession((state) => state.user?.id ?? '')
  const trust = useTrust(conversation, viewerId)
  const acts = useActs(conversation, { viewerId, ...trust }, setWriting, openMenu)
  const remove = useDelete()
  const pane = useKeyboardRoom()
  return (
    <ThreadContext value={acts}>
      <div ref={pane} className="relative flex min-h-0 flex-1 flex-col" {...attach.dropProps}>
        <ThreadHeader conversation={conversation} onBack={onBack} onFind={() => setFinding(true)} />
        <div className="relative flex min-h-0 flex-1 flex-col">
          {finding && (
            <Suspense fallback={null}>
              <ThreadFind onClose={() => setFinding(false)} />
            </Suspense>
          )}
          {conversation.messages ? <Log conversation={conversation} /> : <NotYet failed={failed} retry={retry} />}
        </div>
        <ReceivedNote key={conversation.id} conversation={conversation} met={trust.met} />
        {conversation.isRequest && <RequestBar conversation={conversation} onGone={onBack} />}
        <Composer
          ready
          {...{ conversation, attach, writing }}
          met={trust.met}
          id={conversation.id}
          onWriting={setWriting}
        />
        <DropHint attach={attach} />
      </div>
      <MessageActs {...{ chosen, onBlocked: onBack, onDelete: remove }} onChange={setChosen} onDismiss={focusMessage} />
    </ThreadContext>
  )
}

function NotYet({ failed, retry }: Pick<KnownProps, 'failed' | 'retry'>) {
  const { t } = useTranslation('thread')
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {failed ? <ErrorState text={t('cannotOpen')} onRetry={retry} /> : <ThreadSkeleton />}
    </div>
  )
}

/** Gives the focus back to a message, when it is still in the page: once the menu that holds it is gone. */
function focusMessage(message: Message): void {
  const row = `[data-key="${CSS.escape(keyOf(message))}"]`
  setTimeout(() => document.querySelector<HTMLElement>(row)?.focus({ preventScroll: true }))
}

type OpenMenu = (message: Message, spot: Spot) => void

function useActs(
  conversation: Conversation,
  { viewerId, met: linksLive, photosOpen }: Trust & { viewerId: string },
  setWriting: (writing: Writing) => void,
  openMenu: OpenMenu,
) {
  const { t } = useTranslation('thread')
  const queryClient = useQueryClient()
  const { id, name, photo, isOnline, isTyping } = conversation.user
  return useMemo(
    () => ({
      peer: { id, name, photo, isOnline, isTyping },
      viewerId,
      linksLive,
      photosOpen,
      openMenu,
      reply: (message: Message) => setWriting({ kind: 'reply', message }),
      edit: (message: Message) => setWriting({ kind: 'edit', message }),
      react: (message: Message, emoji: string | null) =>
        void reactToMessage(queryClient, message, emoji).catch(() => toast.error(t('reaction.failed'))),
      goTo: (seq: number) => goToMessage(id, seq),
    }),
    [id, name, photo, isOnline, isTyping, viewerId, linksLive, photosOpen, openMenu, setWriting, queryClient, t],
  )
}

function useDelete() {
  const { t } = useTranslation('thread')
  const queryClient = useQueryClient()
  return async (message: Message) => {
    try {
      await deleteMessage(queryClient, message)
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
