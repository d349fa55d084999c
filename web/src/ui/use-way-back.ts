import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Focuses the element that opened another view in its place, once that view has closed. */
export function useWayBack<T extends HTMLElement>(isAway: boolean): RefObject<T | null> {
  const ref = useRef<T>(null)
  const was = useRef(isAway)
  useLayoutEffect(() => {
    if (was.current && !isAway) ref.current?.focus()
    was.current = isAway
  }, [isAway])
  return ref
}

/** Focuses the first element of such a view when it opens. */
export function useFirstFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useLayoutEffect(() => ref.current?.focus(), [])
  return ref
}
