import type { ConversationChanges } from './changes.ts'
import type { ChatContext } from './context.ts'
import type { Message } from './messages.ts'
import type { Conversation } from './thread.ts'

/** If loading fails, the next use tries again. */
function loadedOnFirstUse<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

interface PagesNeed {
  read(id: string, seq?: number): void
  check(id: string): void
}

export function lazyPages(context: ChatContext, { read, check }: PagesNeed) {
  const { selection } = context
  const pages = loadedOnFirstUse(async () =>
    (await import('./pages/pages.ts')).createPages({ ...context, read, check }),
  )
  return {
    /** Select first and load the code afterwards, because the person may leave the conversation while it loads. */
    open(id: string): Promise<Conversation | null> {
      const already = selection.getState().selectedId === id
      selection.setState({ selectedId: id, ...(already ? {} : { newFromSeq: undefined }) })
      return pages().then(
        (loaded) => loaded.open(id),
        (error) => {
          console.error('The conversation could not be fetched or created.', error)
          return null
        },
      )
    },
    older: async (id: string) => (await pages()).older(id),
    newer: async (id: string) => (await pages()).newer(id),
    jumpTo: async (id: string, seq: number) => (await pages()).jumpTo(id, seq),
    newest: async (id: string) => (await pages()).newest(id),
    refresh: async (id: string, seq: number) => (await pages()).refresh(id, seq),
  }
}

export function lazyChanges(context: ChatContext, refresh: () => void) {
  const changes = loadedOnFirstUse(async () => (await import('./changes.ts')).createChanges({ ...context, refresh }))
  return {
    messages: {
      edit: async (message: Message, text: string) => (await changes()).edit(message, text),
      remove: async (message: Message) => (await changes()).remove(message),
      react: async (message: Message, emoji: string | null) => (await changes()).react(message, emoji),
    },
    changeConversation: async (id: string, wanted: ConversationChanges) => (await changes()).change(id, wanted),
    unlist: async (id: string) => (await changes()).unlist(id),
  }
}
