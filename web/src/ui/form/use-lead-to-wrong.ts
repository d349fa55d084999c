import { type RefObject, useLayoutEffect, useState } from 'react'

/** Returns a function that moves the focus in `form` to the first field that is wrong, once it is drawn as such. */
export function useLeadToWrong(form: RefObject<Element | null>): () => void {
  const [times, setTimes] = useState(0)
  useLayoutEffect(() => {
    if (times > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [times, form])
  return () => setTimes((before) => before + 1)
}
