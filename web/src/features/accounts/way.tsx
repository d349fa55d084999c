import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface WayProps {
  id: string
  icon: LucideIcon
  title: string
  acts: ReactNode
  children: ReactNode
  more?: ReactNode
}

export function Way({ id, icon: Icon, title, acts, children, more }: WayProps) {
  return (
    <li id={id} className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5 py-3.5">
      <span className="grid size-10 flex-none place-items-center rounded-full bg-sunken text-ink-2">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <span className="min-w-44 flex-1">
        <span className="block font-[560]">{title}</span>
        <span className="block text-s text-pretty text-ink-2">{children}</span>
      </span>
      <span className="flex flex-wrap gap-2 max-sm:ms-13.5">{acts}</span>
      {more}
    </li>
  )
}
