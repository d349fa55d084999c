import type { QueryClient } from '@tanstack/react-query'
import { chatOf } from './browser-chat.ts'
import type { Writing } from './chat.ts'
import type { Message } from './messages.ts'

/** Writes to the selected person. Without one, or without a live connection, nothing happens. Tells whether it went. */
export const sendMessage = (queryClient: QueryClient, writing: string | Writing): boolean =>
  chatOf(queryClient).send(writing)

/** Opens the conversation with somebody and writes there. Tells whether the message went. */
export const writeFirst = (queryClient: QueryClient, id: string, text: string): Promise<boolean> =>
  chatOf(queryClient).writeFirst(id, text)

/** Tries a refused message once more. */
export const retryMessage = (queryClient: QueryClient, message: Message): void => chatOf(queryClient).retry(message)

/** Gives a refused message up. */
export const discardMessage = (queryClient: QueryClient, message: Message): void =>
  chatOf(queryClient).outbox.drop(message)
