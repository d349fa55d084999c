import { create } from 'zustand'
import { problemCode } from '../../platform/problem.ts'
import { useSession, whenPersonChanges } from '../../platform/session.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'

const StepUpDialog = lazily(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }))

/** Why an act did not happen: its person closed the dialog that asked who they are. */
export class NotProved extends Error {
  override name = 'NotProved'
}

interface StepUp {
  /** An act waits for the proof. */
  settle: ((proved: boolean) => void) | undefined
  open: boolean
  ask: () => Promise<boolean>
  answer: (proved: boolean) => void
}

const useStepUp = create<StepUp>((set, get) => ({
  settle: undefined,
  open: false,
  ask: () => {
    // Two acts at once: the newer one is asked for, the other one did not happen.
    get().settle?.(false)
    return new Promise((settle) => set({ settle, open: true }))
  },
  answer: (proved) => {
    get().settle?.(proved)
    set({ settle: undefined, open: false })
  },
}))

// What one person was about to do is never done by the proof of another.
whenPersonChanges(() => useStepUp.getState().answer(false))

/**
 * Runs an act that needs a fresh proof of identity: asks for a code or the password when the server wants
 * it, and does it again. Throws `NotProved` when they would not, and whatever the act throws.
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

/** Where that dialog is drawn, once in the page. Loaded when it is first needed. */
export function StepUpHost() {
  const { settle, open, answer } = useStepUp()
  if (!settle && !open) return null
  return (
    <Extra onFail={() => answer(false)}>
      <StepUpDialog open={open} onAnswer={answer} />
    </Extra>
  )
}
