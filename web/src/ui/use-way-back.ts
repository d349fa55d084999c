import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Returns the focus to the element that opened a view in its own place, once that view has closed. */
export function useWayBack<T extends HTMLElement>(isAway: boolean): RefObject<T | null> {
  const ref = useRef<T>(null)
  const was = useRef(isAway)
  useLayoutEffect(() => {
    if (was.current && !isAway) ref.current?.focus()
    was.current = isAway
  }, [isAway])
  return ref
}

export function useFirstFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useLayoutEffect(() => ref.current?.focus(), [])
  return ref
}
