import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Size = 's' | 'm' | 'l'
const sizes: Record<Size, string> = { s: 'size-11.5', m: 'size-14.5', l: 'size-18 [&_.lucide]:size-7.5' }

type RoundActionProps = Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  icon: ReactNode
  size?: Size
  filled?: boolean
}

export function RoundAction({ label, icon, size = 'm', filled, className, ...rest }: RoundActionProps) {
  const colour = filled ? 'bg-accent text-on-accent hover:bg-accent-hover' : 'bg-surface text-ink-2 hover:text-ink'
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={classNames(
        'grid flex-none place-items-center rounded-full shadow-one transition hover:-translate-y-0.5 active:translate-y-0 active:scale-95 disabled:text-ink-3 disabled:hover:translate-y-0',
        sizes[size],
        colour,
        className,
      )}
    >
      {icon}
    </button>
  )
}
