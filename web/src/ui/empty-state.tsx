import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Figure, type FigureName } from './figure.tsx'

interface EmptyStateProps {
  figure: FigureName
  text: ReactNode
  action?: ReactNode
  className?: string
}

export function EmptyState({ figure, text, action, className }: EmptyStateProps) {
  return (
    <div className={classNames('mx-auto grid max-w-80 justify-items-center gap-4 px-5 py-8 text-center', className)}>
      <Figure name={figure} />
      <p className="text-ink-2 text-balance">{text}</p>
      {action}
    </div>
  )
}
