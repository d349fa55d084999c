import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  label: string
  icon: ReactNode
  badge?: ReactNode
}

export function IconButton({ label, icon, badge, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={classNames(
        'relative grid size-11 flex-none place-items-center rounded-full text-ink-2 transition hover:bg-sunken hover:text-ink active:scale-95 disabled:scale-100 disabled:text-ink-3 disabled:hover:bg-transparent',
        className,
      )}
    >
      {icon}
      {badge}
    </button>
  )
}
