import { create } from 'zustand'
import { whenPersonChanges } from '../../platform/session.ts'

interface Target {
  /** The other person's id, and the seq of the message. */
  target: { id: string; seq: number } | null
}

export const useTarget = create<Target>()(() => ({ target: null }))
whenPersonChanges(() => useTarget.setState({ target: null }))

export const goToMessage = (id: string, seq: number): void => useTarget.setState({ target: { id, seq } })
