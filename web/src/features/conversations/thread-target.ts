import { create } from 'zustand'
import { whenPersonChanges } from '../../platform/session.ts'

interface Target {
  target: { id: string; seq: number } | null
}

export const useTarget = create<Target>()(() => ({ target: null }))
whenPersonChanges(() => useTarget.setState({ target: null }))

export const goToMessage = (id: string, seq: number): void => useTarget.setState({ target: { id, seq } })
