import type { Attachment } from '@duet/contract/conversations.ts'
import { limits } from '@duet/contract/limits.ts'
import { excessOf, isVisible } from '@duet/contract/written-text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp, Check } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../platform/session.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { PhotoAttach } from '../attachments/photo-attach.ts'
import { PhotoButton } from '../attachments/photo-button.tsx'
import { PhotoPreview } from '../attachments/photo-preview.tsx'
import { VoiceRecorder } from '../attachments/voice-recorder.tsx'
import { chatOf } from '../browser-chat.ts'
import { type Conversation, hasNewer } from '../chat/conversation-list.ts'
import { type Message, quoteOf } from '../chat/messages.ts'
import { canChange } from '../message/message-rules.ts'
import type { ComposeMode } from '../thread-acts.ts'
import { useConnectionLost } from '../use-connection-lost.ts'
import { ComposerBox } from './composer-box.tsx'
import { useWriting } from './use-writing.ts'
import { SendNudge } from './warning-notes.tsx'
import { WritingNote } from './writing-note.tsx'

interface ComposerProps {
  id: string
  ready: boolean
  attach?: PhotoAttach | undefined
  writing?: ComposeMode | undefined
  onWriting?: (writing: ComposeMode | undefined) => void
  conversation?: Conversation | undefined
  /** True once both people have written several messages; nudges are then off. */
  met?: boolean
}

const nothing = () => undefined

/** Without a live connection, sends nothing and keeps the text. */
export function Composer({ id, ready, attach, writing, onWriting = nothing, conversation, met = true }: ComposerProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [recording, setRecording] = useState(false)
  const edited = writing?.kind === 'edit' ? writing.message : undefined
  const { text, write, typing, saveEdit, clear } = useWriting({ id, box, writing, onWriting })
  const post = usePost({ writing, onWriting, typing, conversation })
  const changeable = useChangeable(conversation)
  const live = useSession((state) => state.socketStatus === 'connected')
  const can =
    live &&
    ready &&
    !attach?.busy &&
    excessOf(text, limits.messageLength) === 0 &&
    (isVisible(text) || (!edited && attach !== undefined && attach.ready.length > 0))
  const submit = () => {
    if (edited) return can && void saveEdit(edited)
    if (can && post({ text, attachments: attach?.ready })) {
      clear()
      attach?.sent()
    }
    box.current?.focus()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="flex-none border-t border-line pb-[calc(10px+env(safe-area-inset-bottom))]"
    >
      <div className="mx-auto max-w-180">
        {writing && <WritingNote writing={writing} onCancel={() => onWriting(undefined)} />}
        {attach && !edited && <PhotoPreview attach={attach} />}
        {!met && !edited && <SendNudge text={text} canSend={can} onSend={submit} />}
        <div className={classNames('relative flex items-end gap-1 px-2 pt-2.5', attach ? 'ps-1.5' : 'ps-3')}>
          {attach && !edited && !recording && <PhotoButton attach={attach} disabled={!ready || !live} />}
          {!recording && (
            <ComposerBox
              {...{ box, text, write, typing, submit, changeable }}
              empty={!edited && text === ''}
              onEdit={(message) => onWriting({ kind: 'edit', message })}
              onEscape={writing && (() => onWriting(undefined))}
              onPaste={edited ? undefined : attach?.onPaste}
            />
          )}
          {attach && !edited && text === '' && attach.photos.length === 0 && (
            <Voice
              id={id}
              disabled={!ready || !live}
              onActive={setRecording}
              onRecorded={(note) => post({ text: '', attachments: [note] })}
              box={box}
            />
          )}
          {!recording && <SendButton disabled={!can} editing={edited !== undefined} />}
        </div>
        <Unsent text={text} />
      </div>
    </form>
  )
}

interface VoiceProps {
  id: string
  disabled: boolean
  box: RefObject<HTMLTextAreaElement | null>
  onActive: (active: boolean) => void
  /** Returns false if the voice message can't be sent now. */
  onRecorded: (note: Attachment) => boolean
}

function Voice({ id, disabled, box, onActive, onRecorded }: VoiceProps) {
  const record = (note: Attachment) => {
    if (!onRecorded(note)) return false
    setTimeout(() => box.current?.focus())
    return true
  }
  return <VoiceRecorder peerId={id} disabled={disabled} onRecorded={record} onActiveChange={onActive} />
}

function Unsent({ text }: { text: string }) {
  const { t } = useTranslation(['thread', 'ui'])
  const isLost = useConnectionLost()
  const excess = excessOf(text, limits.messageLength)
  return (
    <p role="status" className="px-4 pt-1.5 text-xs text-ink-2 empty:hidden">
      {isLost && text.trim() !== '' && t('unsent')}
      {excess > 0 && <span className="block font-medium text-bad">{t('ui:tooLong', { count: excess })}</span>}
    </p>
  )
}

function SendButton({ disabled, editing }: { disabled: boolean; editing: boolean }) {
  const { t } = useTranslation('thread')
  const Icon = editing ? Check : ArrowUp
  return (
    <button
      type="submit"
      aria-label={editing ? t('save') : t('send')}
      disabled={disabled}
      className="ms-1 grid size-11.5 flex-none place-items-center rounded-full bg-accent text-on-accent transition hover:bg-accent-hover active:scale-95 disabled:bg-sunken disabled:text-ink-3"
    >
      <Icon aria-hidden="true" />
    </button>
  )
}

interface PostParts {
  writing: ComposeMode | undefined
  onWriting: (writing: ComposeMode | undefined) => void
  typing: { stop: () => void }
  conversation: Conversation | undefined
}

interface Post {
  text: string
  attachments?: readonly Attachment[] | undefined
}

/**
 * Each photo is a separate message; the first carries the reply and the last the text. Returns whether everything was
 * sent.
 */
function usePost({ writing, onWriting, typing, conversation }: PostParts) {
  const queryClient = useQueryClient()
  return ({ text, attachments = [] }: Post): boolean => {
    const replyTo = writing?.kind === 'reply' ? quoteOf(writing.message) : undefined
    const { send } = chatOf(queryClient)
    const sendAll = () =>
      attachments.every((attachment, index) => {
        const isLast = index === attachments.length - 1
        return send({ text: isLast ? text : '', attachment, ...(index === 0 && { replyTo }) })
      })
    if (!(attachments.length > 0 ? sendAll() : send({ text, replyTo }))) return false
    typing.stop()
    if (replyTo) onWriting(undefined)
    // If the newest messages aren't loaded, sending jumps to them.
    if (conversation && hasNewer(conversation))
      chatOf(queryClient)
        .pages.newest(conversation.id)
        .catch((error: unknown) => console.error('Could not load the newest messages.', error))
    return true
  }
}

function useChangeable(conversation: Conversation | undefined) {
  const viewerId = useSession((state) => state.user?.id ?? '')
  return (): Message | undefined => {
    const last = conversation?.messages?.findLast(({ senderId }) => senderId === viewerId)
    return last?.message && canChange(last, viewerId, Date.now()) ? last : undefined
  }
}
