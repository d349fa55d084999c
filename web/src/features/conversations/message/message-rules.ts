import { limits } from '@duet/contract/limits.ts'
import type { Message } from '../chat/conversation-list.ts'

export type MessageAct = 'emoji' | 'reply' | 'copy' | 'edit' | 'delete' | 'report' | 'block'

const changeable = limits.changeMinutes * 60_000

/** `now` is in ms since 1970. */
export function canChange(message: Message, viewerId: string, now: number): boolean {
  const own = message.senderId === viewerId && message.seq !== undefined && !message.deletedAt
  return own && now - Date.parse(message.timestamp) < changeable
}

export function actsOn(message: Message, viewerId: string, now: number): MessageAct[] {
  if (message.deletedAt) return message.senderId === viewerId ? [] : ['report', 'block']
  const acts: MessageAct[] = message.seq === undefined ? [] : ['emoji', 'reply']
  if (message.message) acts.push('copy')
  if (!canChange(message, viewerId, now)) return message.senderId === viewerId ? acts : [...acts, 'report', 'block']
  return message.message ? [...acts, 'edit', 'delete'] : [...acts, 'delete']
}
