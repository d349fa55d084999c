import type { ComponentProps, ReactNode } from 'react'
import { Link, type LinkProps } from '../platform/address/address.tsx'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

type Variant = 'primary' | 'quiet' | 'text' | 'danger'
type Size = 's' | 'm' | 'l'

const variants: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover disabled:bg-sunken disabled:text-ink-3',
  quiet: 'bg-sunken text-ink hover:bg-line disabled:text-ink-3',
  text: 'text-accent hover:bg-accent-soft disabled:text-ink-3 disabled:bg-transparent',
  danger:
    'bg-transparent text-bad inset-ring-[1.5px] inset-ring-bad hover:bg-bad hover:text-paper disabled:bg-transparent disabled:text-ink-3 disabled:inset-ring-line',
}
// Every size has a touch target at least 44 px high.
const sizes: Record<Size, string> = {
  s: 'h-9 px-3.5 text-s relative after:absolute after:inset-x-0 after:-inset-y-1',
  m: 'h-11 px-5 text-[15px]',
  l: 'h-14 px-7 text-[17px]',
}

interface Look {
  variant?: Variant | undefined
  size?: Size | undefined
  wide?: boolean | undefined
}

function buttonClass({ variant = 'primary', size = 'm', wide }: Look, className?: string): string {
  const base =
    'inline-flex items-center justify-center gap-2 rounded-full font-[620] whitespace-nowrap select-none transition active:scale-[.98] disabled:active:scale-100 disabled:cursor-not-allowed'
  return classNames(base, variants[variant], sizes[size], wide && 'w-full', className)
}

type ButtonProps = ComponentProps<'button'> & Look & { icon?: ReactNode; busy?: boolean }

export function Button({ variant, size, wide, icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={buttonClass({ variant, size, wide }, className)}
    >
      {busy ? <Spinner className="size-4.5" /> : icon}
      {children}
    </button>
  )
}

type LinkButtonProps = LinkProps & Look & { icon?: ReactNode }

export function LinkButton({ variant, size, wide, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, wide }, className)}>
      {icon}
      {children}
    </Link>
  )
}
