import { useQueryClient } from '@tanstack/react-query'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { Folded } from '../../privacy/privacy.tsx'
import type { PhotoAttachment, VoiceAttachment } from '../attachments/attachments.api.ts'
import { photoBox } from '../attachments/photo-box.ts'
import { PhotoMessage } from '../attachments/photo-message.tsx'
import { VoiceNote } from '../attachments/voice-note.tsx'
import { chatOf } from '../browser-chat.ts'
import type { Message } from '../chat/conversation-list.ts'
import { keyOf } from '../chat/messages.ts'
import { useThread } from '../thread-acts.ts'
import type { MessageItem } from './albums.ts'
import { BubbleMeta, isStuck } from './bubble-meta.tsx'
import { BubbleText, InertLinkNote } from './bubble-text.tsx'
import { BubbleTools } from './bubble-tools.tsx'
import { emojiAlone } from './emoji.ts'
import { Quote } from './quote.tsx'
import { Reactions } from './reactions.tsx'

type Side = Pick<MessageItem, 'mine' | 'last'>

/** Only the last message of a group shows its time and delivery ticks. */
export function Bubble({ item: { message, mine, last } }: { item: MessageItem }) {
  return (
    <div className={classNames('flex flex-col', last ? 'pb-2.5' : 'pb-[3px]', mine ? 'items-end' : 'items-start')}>
      <div className={classNames('flex w-full items-center gap-1', mine && 'flex-row-reverse')}>
        <Content {...{ message, mine, last }} />
        {!message.deletedAt && message.seq !== undefined && <BubbleTools message={message} />}
      </div>
      <Reactions {...{ message, mine }} />
      <InertLinkNote text={message.message} />
      {(last || isStuck(message)) && <BubbleMeta {...{ message, mine }} />}
    </div>
  )
}

function Content({ message, ...side }: { message: Message } & Side) {
  const { t } = useTranslation('thread')
  if (message.deletedAt)
    return (
      <Frame {...side} className="border border-line text-[15px] text-ink-2 italic">
        {t('conversations:deleted')}
      </Frame>
    )
  const bare = !message.replyTo && !message.attachment && !message.editedAt
  const emoji = bare ? emojiAlone(message.message) : 0
  if (emoji > 0)
    return (
      <p data-bubble className={emoji === 1 ? 'text-[42px]/tight' : 'text-[30px]/tight'}>
        {message.message}
      </p>
    )
  if (message.attachment?.kind === 'photo') return <PhotoBubble {...{ message, ...side }} photo={message.attachment} />
  return (
    <Frame {...side} className={side.mine ? 'bg-accent text-on-accent' : 'bg-sunken'}>
      {message.replyTo && <Quote quote={message.replyTo} mine={side.mine} />}
      {message.attachment && <Voice message={message} note={message.attachment} />}
      <Words message={message} mine={side.mine} />
    </Frame>
  )
}

/** The returned function refetches the message, because attachment URLs expire. */
export function useFreshAddress({ seq }: Pick<Message, 'seq'>): () => void {
  const queryClient = useQueryClient()
  const { peer } = useThread()
  return () => {
    if (seq === undefined) return
    chatOf(queryClient)
      .pages.refresh(peer.id, seq)
      .catch((error: unknown) => console.error('Could not refresh the URL of an attachment.', error))
  }
}

function Voice({ message, note }: { message: Message; note: VoiceAttachment }) {
  const onExpired = useFreshAddress(message)
  return <VoiceNote note={note} onExpired={onExpired} className={message.message ? 'mb-1.5' : ''} />
}

export const bubbleEdge = 6

function PhotoBubble({ message, photo, mine, last }: { message: Message; photo: PhotoAttachment } & Side) {
  const { peer, photosOpen } = useThread()
  const onExpired = useFreshAddress(message)
  const shown = { ...photo, veiled: !mine && !photosOpen }
  const more = message.message !== '' || message.replyTo !== undefined
  const corner = last && !more ? (mine ? 'rounded-ee-[6px]' : 'rounded-es-[6px]') : ''
  const picture = (
    <PhotoMessage
      key={String(shown.veiled)}
      photo={shown}
      {...{ mine, onExpired }}
      name={peer.name}
      className={more ? 'w-full!' : corner}
    />
  )
  if (!more)
    return (
      <div data-bubble className="max-w-[78%] min-w-0">
        {picture}
      </div>
    )
  return (
    <Frame
      {...{ mine, last }}
      // The bubble is as wide as its photo, even if the text below is shorter.
      style={{ width: photoBox(photo).width + 2 * bubbleEdge }}
      className={classNames('p-1.5!', mine ? 'bg-accent text-on-accent' : 'bg-sunken')}
    >
      {message.replyTo && (
        <div className="px-2 pt-1.5">
          <Quote quote={message.replyTo} mine={mine} />
        </div>
      )}
      {picture}
      <div className="px-2 pt-1.5 pb-1">
        <Words {...{ message, mine }} />
      </div>
    </Frame>
  )
}

interface FrameProps extends Side {
  className: string
  style?: CSSProperties
  children: ReactNode
}

export function Frame({ mine, last, className, style, children }: FrameProps) {
  const corner = last && (mine ? 'rounded-ee-[6px]' : 'rounded-es-[6px]')
  return (
    <div
      data-bubble
      style={style}
      className={classNames('max-w-[78%] min-w-0 rounded-l px-[15px] py-2.5 leading-[1.4]', corner, className)}
    >
      {children}
    </div>
  )
}

export function Words({ message, mine }: { message: Message; mine: boolean }) {
  const { t } = useTranslation('thread')
  if (!message.message) return null
  return (
    <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
      {mine ? (
        <BubbleText text={message.message} />
      ) : (
        <Folded id={keyOf(message)} text={message.message}>
          <BubbleText text={message.message} />
        </Folded>
      )}
      {message.editedAt && <span className="ms-2 text-xs opacity-85">{t('edited')}</span>}
    </p>
  )
}

export function TypingBubble() {
  const { t } = useTranslation('thread')
  return (
    <p className="flex h-11 w-fit items-center gap-1 rounded-l rounded-es-[6px] bg-sunken px-[15px]">
      <span className="sr-only">{t('conversations:typing')}</span>
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
