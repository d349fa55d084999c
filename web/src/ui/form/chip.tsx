import { X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../class-names.ts'

const base =
  'relative inline-flex h-9 items-center gap-1.5 whitespace-nowrap rounded-full border px-3.5 text-s font-medium transition active:scale-[.97] disabled:scale-100 after:absolute after:inset-x-0 after:-inset-y-1.25'
const look = (on: boolean | undefined) =>
  on ? 'border-accent bg-accent-soft text-accent' : 'border-line bg-surface text-ink hover:border-ink-3'

type ChipProps = ComponentProps<'button'> & {
  pressed?: boolean
  icon?: ReactNode
}

export function Chip({ pressed, icon, className, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      {...rest}
      className={classNames(base, look(pressed), 'disabled:opacity-50 [&_.lucide]:size-4', className)}
    >
      {icon}
      {children}
    </button>
  )
}

export function RemovableChip({ label, onRemove }: { label: string; onRemove: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <button
      type="button"
      onClick={onRemove}
      aria-label={t('remove', { what: label })}
      className={classNames(base, look(false), 'max-w-full')}
    >
      <bdi>{label}</bdi>
      <X aria-hidden="true" className="size-4" />
    </button>
  )
}
