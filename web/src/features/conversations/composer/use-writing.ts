import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../platform/toast.ts'
import { typingTo } from '../../presence/presence.ts'
import { chatOf } from '../browser-chat.ts'
import type { Message } from '../chat/messages.ts'
import type { ComposeMode } from '../thread-acts.ts'
import { followDraft, keepDraft, readDraft } from './drafts.ts'

interface WritingParts {
  id: string
  box: RefObject<HTMLTextAreaElement | null>
  writing: ComposeMode | undefined
  onWriting: (writing: ComposeMode | undefined) => void
}

export function useWriting({ id, box, writing, onWriting }: WritingParts) {
  const [draft, setDraft] = useState(() => readDraft(id))
  const [change, setChange] = useState<{ of: string; text: string }>()
  const typing = useMemo(() => typingTo(id), [id])
  useEffect(() => typing.stop, [typing])
  useEffect(() => followDraft(id, setDraft), [id])
  const edited = writing?.kind === 'edit' ? writing.message : undefined
  if (edited && change?.of !== edited.id) setChange({ of: edited.id, text: edited.message })
  if (!edited && change) setChange(undefined)
  useCaretAtEnd(box, writing)
  const keep = (next: string) => {
    setDraft(next)
    keepDraft(id, next)
  }
  const write = (next: string) => {
    if (edited) return setChange({ of: edited.id, text: next })
    keep(next)
    if (next.trim()) typing.typed()
    else typing.stop()
  }
  const text = edited ? (change?.of === edited.id ? change.text : edited.message) : draft
  const save = useSave()
  const latest = useRef(writing)
  latest.current = writing
  const saveEdit = async (message: Message) => {
    onWriting(undefined)
    box.current?.focus()
    if (text.trim() === message.message || (await save(message, text.trim())) || latest.current) return
    setChange({ of: message.id, text })
    onWriting({ kind: 'edit', message })
  }
  return { text, write, typing, saveEdit, clear: () => keep('') }
}

function useCaretAtEnd(box: RefObject<HTMLTextAreaElement | null>, writing: ComposeMode | undefined): void {
  useLayoutEffect(() => {
    const field = box.current
    if (!writing || !field) return
    // The menu moves the focus when it closes, so wait until then.
    const timer = setTimeout(() => {
      field.focus()
      field.setSelectionRange(field.value.length, field.value.length)
    })
    return () => clearTimeout(timer)
  }, [writing, box])
}

function useSave() {
  const { t } = useTranslation('thread')
  const queryClient = useQueryClient()
  return async (message: Message, text: string): Promise<boolean> => {
    try {
      await chatOf(queryClient).messages.edit(message, text)
      return true
    } catch {
      toast.error(t('editFailed'))
      return false
    }
  }
}
