import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export function Tag({ shared, children }: { shared?: boolean; children: ReactNode }) {
  const colour = shared ? 'bg-accent-soft text-accent' : 'bg-sunken text-ink'
  return (
    <span className={classNames('inline-block rounded-full px-3.5 py-1.5 text-s font-medium', colour)}>{children}</span>
  )
}
