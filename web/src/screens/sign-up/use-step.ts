import { useEffect } from 'react'
import { navigate, useAddress } from '../../platform/address/address.tsx'

const addressOf = (step: string) => `/signup?step=${step}`
/** History state that marks a step whose previous history entry is the previous step. */
const afterPrevious = 'after-previous'

/** Adds no history entries for the steps before this one. */
export const beginAt = (step: string) => navigate(addressOf(step), { replace: true })

/**
 * Returns the step named in the URL, so that reloading and the browser's back button work, or `first` if the URL names
 * none. `most` is the last step that the person has reached.
 */
export function useStep<S extends string>(steps: readonly S[], first: S, most: S) {
  const { pathname, search, state } = useAddress()
  const named = search.get('step')
  const asked = steps.indexOf((named ?? '') as S)
  const at = Math.min(asked < 0 ? steps.indexOf(first) : asked, steps.indexOf(most))
  const step = steps[at] ?? first
  useEffect(() => {
    if (pathname === '/signup' && named !== step) navigate(addressOf(step), { replace: true, state })
  }, [pathname, named, step, state])
  const go = (to: S) => navigate(addressOf(to), { state: steps.indexOf(to) === at + 1 ? afterPrevious : undefined })
  const next = () => go(steps[at + 1] ?? step)
  const back = () => {
    if (state === afterPrevious) return window.history.back()
    navigate(addressOf(steps[at - 1] ?? step), { replace: true })
  }
  return { step, go, next, back }
}
