import type { ReactNode } from 'react'

/** A place on the page that a link leads to, below the bar. */
export function Anchored({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} className="scroll-mt-24">
      {children}
    </div>
  )
}
