import { useEffect, useRef } from 'react'

/**
 * For requests whose response may arrive after their dialog has closed. Call the returned function before the request.
 * It returns a function that tells whether the dialog has stayed open since then.
 */
export function useOpening(open = true): () => () => boolean {
  const opening = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the dialog opens or closes
  useEffect(
    () => () => {
      opening.current += 1
    },
    [open],
  )
  return () => {
    const begun = opening.current
    return () => opening.current === begun
  }
}
