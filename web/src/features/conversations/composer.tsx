import { limits } from '@duet/contract/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { typingTo } from '../presence/presence.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { sendMessage } from './outgoing.ts'

// Safari ends a composition before it tells of the key that ended it; 229 gives it away.
const composing = ({ nativeEvent }: KeyboardEvent) => nativeEvent.isComposing || nativeEvent.keyCode === 229

/** Where to write. Enter sends and Shift+Enter breaks; without a live connection nothing is sent and the text stays. */
export function Composer({ id, ready }: { id: string; ready: boolean }) {
  const { t } = useTranslation('conversations')
  const { text, write, send, typing } = useWriting(id, ready)
  const live = useSession((state) => state.socketStatus === 'connected')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || composing(event)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="flex items-end gap-2 border-t border-line px-3 pt-2.5 pb-[calc(10px+env(safe-area-inset-bottom))]"
    >
      <textarea
        aria-label={t('message')}
        placeholder={t('write')}
        dir="auto"
        rows={1}
        value={text}
        maxLength={limits.messageLength}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={typing.stop}
        className="field-sizing-content max-h-40 min-h-11.5 min-w-0 flex-1 resize-none rounded-[24px] bg-sunken px-4.5 py-[11px] leading-6 placeholder:text-ink-2 focus-visible:outline-offset-0"
      />
      <button
        type="submit"
        aria-label={t('send')}
        disabled={!live || !ready || !text.trim()}
        className="grid size-11.5 flex-none place-items-center rounded-full bg-accent text-on-accent transition hover:bg-accent-hover active:scale-95 disabled:bg-sunken disabled:text-ink-3"
      >
        <ArrowUp aria-hidden="true" />
      </button>
    </form>
  )
}

function useWriting(id: string, ready: boolean) {
  const queryClient = useQueryClient()
  const [text, setText] = useState(() => readDraft(id))
  const typing = useMemo(() => typingTo(id), [id])
  useEffect(() => typing.stop, [typing])
  const keep = (next: string) => {
    setText(next)
    keepDraft(id, next)
  }
  const write = (next: string) => {
    keep(next)
    if (next.trim()) typing.typed()
    else typing.stop()
  }
  const send = () => {
    if (!ready || !sendMessage(queryClient, text)) return
    typing.stop()
    keep('')
  }
  return { text, write, send, typing }
}
