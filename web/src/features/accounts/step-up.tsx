import { create } from 'zustand'
import { problemCode } from '../../platform/problem.ts'
import { useSession, whenPersonChanges } from '../../platform/session.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'

const StepUpDialog = lazily(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }))

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
    // If a second action asks while the dialog is open, the first action is rejected.
    get().settle?.(false)
    return new Promise((settle) => set({ settle, open: true }))
  },
  answer: (proved) => {
    get().settle?.(proved)
    set({ settle: undefined, open: false })
  },
}))

// After a change of account, a proof by the new person must not run an action of the previous one.
whenPersonChanges(() => useStepUp.getState().answer(false))

/**
 * Runs an action. If the server demands a fresh proof of identity, asks the person for one and runs the action again.
 * Throws `NotProved` if the person declines, and the action's own errors.
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
