import { type RefObject, useLayoutEffect, useState } from 'react'

/** Returns a function that focuses the first invalid field in `form` after the next render. */
export function useLeadToWrong(form: RefObject<Element | null>): () => void {
  const [times, setTimes] = useState(0)
  useLayoutEffect(() => {
    if (times > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [times, form])
  return () => setTimes((before) => before + 1)
}
