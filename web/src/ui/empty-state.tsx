import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Figure, type FigureName } from './figure.tsx'

interface EmptyStateProps {
  figure: FigureName
  /** One sentence that says why there is nothing. */
  text: ReactNode
  /** One next step. */
  action?: ReactNode
  className?: string
}

/** Nothing to show: why, and what to do next. */
export function EmptyState({ figure, text, action, className }: EmptyStateProps) {
  return (
    <div className={classNames('mx-auto grid max-w-80 justify-items-center gap-4 px-5 py-8 text-center', className)}>
      <Figure name={figure} />
      <p className="text-ink-2 text-balance">{text}</p>
      {action}
    </div>
  )
}
