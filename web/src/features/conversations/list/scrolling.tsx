import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { whenPersonChanges } from '../../../platform/session.ts'

// Scroll positions, stored here because the lists unmount when a thread or another screen replaces them.
const tops = new Map<string, number>()
whenPersonChanges(() => tops.clear())

/** The scroll container of a conversation list. With `place`, it restores its scroll position when it remounts. */
export function Scrolling({ place, children }: { place?: string; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (place && ref.current) ref.current.scrollTop = tops.get(place) ?? 0
  }, [place])
  return (
    <div
      ref={ref}
      data-scroller=""
      onScroll={({ currentTarget }) => place && tops.set(place, currentTarget.scrollTop)}
      className="relative min-h-0 flex-1 overflow-y-auto pb-4"
    >
      <div>{children}</div>
    </div>
  )
}
