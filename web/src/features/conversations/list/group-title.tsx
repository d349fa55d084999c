import type { ReactNode } from 'react'

export function GroupTitle({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="px-5.5 pt-3.5 pb-1.5 text-[13px] font-semibold text-ink-2">
      {children}
    </p>
  )
}
