import { type RefObject, useLayoutEffect, useRef } from 'react'

/** When a view that replaced its opener closes, returns the focus to the opener. */
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
