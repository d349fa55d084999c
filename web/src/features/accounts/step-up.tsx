import { create } from 'zustand'
import { problemCode } from '../../platform/problem.ts'
import { useSession, whenPersonChanges } from '../../platform/session.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'

const StepUpDialog = lazily(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }))

/** The person closed the step-up dialog, so the action didn't run. */
export class NotProved extends Error {
  override name = 'NotProved'
}

interface StepUp {
  settle: ((proved: boolean) => void) | undefined
  open: boolean
  ask: () => Promise<boolean>
  answer: (proved: boolean) => void
}

const useStepUp = create<StepUp>((set, get) => ({
  settle: undefined,
  open: false,
  ask: () => {
    // If two actions ask at the same time, the newer one wins and the other is rejected.
    get().settle?.(false)
    return new Promise((settle) => set({ settle, open: true }))
  },
  answer: (proved) => {
    get().settle?.(proved)
    set({ settle: undefined, open: false })
  },
}))

// One person's proof must never run another person's action.
whenPersonChanges(() => useStepUp.getState().answer(false))

/**
 * Runs an action that may need a fresh proof of identity. If the server demands one, asks for it and runs the action
 * again. Throws `NotProved` if the person declines, and whatever the action throws.
 */
export async function withStepUp<T>(act: () => Promise<T>): Promise<T> {
  const personId = useSession.getState().user?.id
  try {
    return await act()
  } catch (error) {
    if (problemCode(error) !== 'reauthentication_required') throw error
  }
  if (useSession.getState().user?.id !== personId || !(await useStepUp.getState().ask())) throw new NotProved()
  return act()
}

export function StepUpHost() {
  const { settle, open, answer } = useStepUp()
  if (!settle && !open) return null
  return (
    <Extra onFail={() => answer(false)}>
      <StepUpDialog open={open} onAnswer={answer} />
    </Extra>
  )
}
