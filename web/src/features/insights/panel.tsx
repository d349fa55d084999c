import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'

interface PanelProps {
  title: ReactNode
  hint?: ReactNode
  end?: ReactNode
  className?: string
  children: ReactNode
}

export function Panel({ title, hint, end, className, children }: PanelProps) {
  return (
    <section className={classNames('flex flex-col rounded-l bg-surface p-5.5 shadow-one sm:p-6', className)}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="display text-xl">{title}</h2>
        {end}
      </div>
      {hint && <p className="mt-1.5 text-s text-pretty text-ink-2">{hint}</p>}
      <div className="mt-5 flex flex-1 flex-col">{children}</div>
    </section>
  )
}

export function Nothing({ children }: { children: ReactNode }) {
  return <p className="grid flex-1 place-items-center py-6 text-center text-ink-2 text-pretty">{children}</p>
}
