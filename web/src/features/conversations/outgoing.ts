import type { SendAck } from '@duet/contract/conversations.ts'
import type { QueryClient } from '@tanstack/react-query'
import { useSession } from '../../platform/session.ts'
import { getSocket } from '../../platform/socket.ts'
import { ask } from './ask.ts'
import { confirmMessage, dropMessage, type Message, markDelivery, receiveMessage } from './conversation-list.ts'
import { openConversation } from './conversations.api.ts'
import { changeConversations, dropFromOutbox, keepInOutbox, readOutbox, useSelection } from './conversations.ts'
import { messageId } from './message-id.ts'

const onTheirWay = new Set<string>()

function compose(text: string, viewerId: string, receiverId: string): Message {
  const ids = { id: messageId(), senderId: viewerId, receiverId, conversationId: receiverId }
  return { ...ids, message: text, timestamp: new Date().toISOString(), status: 'sent', delivery: 'pending' }
}

/** Writes to the selected person. Without one, or without a live connection, nothing happens. Tells whether it went. */
export function sendMessage(queryClient: QueryClient, text: string): boolean {
  const socket = getSocket()
  const viewerId = useSession.getState().user?.id
  const { selectedId } = useSelection.getState()
  if (!socket) console.error('Socket not connected.')
  if (!socket?.connected || !viewerId || !selectedId || !text.trim()) return false
  const message = compose(text.trim(), viewerId, selectedId)
  keepInOutbox(message)
  show(queryClient, message)
  emit(queryClient, message)
  return true
}

/** Opens the conversation with somebody and writes there. Tells whether the message went. */
export async function writeFirst(queryClient: QueryClient, id: string, text: string): Promise<boolean> {
  const conversation = await openConversation(queryClient, id)
  return conversation !== null && sendMessage(queryClient, text)
}

function show(queryClient: QueryClient, message: Message): void {
  const viewer = { viewerId: message.senderId, selectedId: useSelection.getState().selectedId }
  changeConversations(queryClient, (list) => receiveMessage(list, message, viewer))
}

// Nothing is sent on a broken line: what stays in the outbox goes out when the line is back.
function emit(queryClient: QueryClient, message: Message): void {
  const socket = getSocket()
  if (!socket?.connected || onTheirWay.has(message.id)) return
  onTheirWay.add(message.id)
  const { id, message: text, timestamp, senderId, receiverId } = message
  const payload = { id, message: text, timestamp, senderId, receiverId, status: 'sent' }
  ask(socket, 'send_message', payload)
    .finally(() => onTheirWay.delete(id))
    .then(
      (answer) => settle(queryClient, message, answer),
      () => emit(queryClient, message),
    )
}

function settle(queryClient: QueryClient, message: Message, answer: SendAck): void {
  if (!answer.ok && answer.retryAfterMs !== undefined) {
    setTimeout(() => emit(queryClient, message), answer.retryAfterMs)
    return
  }
  if (answer.ok) {
    dropFromOutbox(message.id)
    changeConversations(queryClient, (list) => confirmMessage(list, answer.message))
    return
  }
  keepInOutbox({ ...message, delivery: 'failed' })
  changeConversations(queryClient, (list) => markDelivery(list, message, 'failed'))
}

/** Sends again what was never acknowledged; the server takes each id once. Refused messages wait for a word. */
export function resendOutbox(queryClient: QueryClient): void {
  for (const message of readOutbox()) {
    if (message.senderId !== useSession.getState().user?.id) continue
    show(queryClient, message)
    if (message.delivery !== 'failed') emit(queryClient, message)
  }
}

/** Tries a refused message once more. */
export function retryMessage(queryClient: QueryClient, message: Message): void {
  const again: Message = { ...message, delivery: 'pending' }
  keepInOutbox(again)
  changeConversations(queryClient, (list) => markDelivery(list, message, 'pending'))
  emit(queryClient, again)
}

/** Gives a refused message up. */
export function discardMessage(queryClient: QueryClient, message: Message): void {
  dropFromOutbox(message.id)
  changeConversations(queryClient, (list) => dropMessage(list, message))
}
