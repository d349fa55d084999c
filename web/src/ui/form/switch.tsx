import type { ComponentProps, ReactNode } from 'react'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (on: boolean) => void
}

/** Takes effect immediately, without a Save button. */
export function Switch({ label, hint, checked, onChange, className, ...rest }: SwitchProps) {
  return (
    <label className={`flex min-h-11 items-center justify-between gap-4 py-2 ${className ?? ''}`}>
      <span className="min-w-0 wrap-anywhere">
        <span className="block font-medium">{label}</span>
        {hint && <span className="block text-s text-ink-2">{hint}</span>}
      </span>
      <input
        {...rest}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="relative h-7 w-12 flex-none appearance-none rounded-full bg-ink-3 transition before:absolute before:start-0.75 before:top-0.75 before:size-5.5 before:rounded-full before:bg-white before:shadow-one before:transition-all checked:bg-accent checked:before:start-5.75"
      />
    </label>
  )
}
