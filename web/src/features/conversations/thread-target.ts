import { create } from 'zustand'
import { whenPersonChanges } from '../../platform/session.ts'

interface Target {
  /** The other person of the conversation, and the seq of the message to show. */
  target: { id: string; seq: number } | null
}

/** The message to bring into sight, once its thread is there. */
export const useTarget = create<Target>()(() => ({ target: null }))
whenPersonChanges(() => useTarget.setState({ target: null }))

/** Asks to bring a message into sight. */
export const goToMessage = (id: string, seq: number): void => useTarget.setState({ target: { id, seq } })
