import type { ReactNode } from 'react'

/** A link target that scrolls to below the navigation bar. */
export function Anchored({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} className="scroll-mt-24">
      {children}
    </div>
  )
}
