import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import { ErrorText } from './error-text.tsx'

export interface FieldLabels {
  label: string
  hint?: ReactNode
  error?: ReactNode
  hideLabel?: boolean
}

interface FieldWiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface FieldFrameProps extends FieldLabels {
  id?: string | undefined
  className?: string | undefined
  corner?: ReactNode
  children: (wiring: FieldWiring) => ReactNode
}

export const fieldBox =
  'w-full rounded-m bg-surface border-[1.5px] border-ink-3 px-4 transition placeholder:text-ink-2/70 focus:outline-none focus:border-accent focus:ring-4 focus:ring-accent-soft aria-invalid:border-bad disabled:opacity-60'

export function FieldFrame({ label, hint, error, hideLabel, id, className, corner, children }: FieldFrameProps) {
  const own = useId()
  const field = id ?? own
  const hintId = `${field}-hint`
  const errorId = `${field}-error`
  const describedBy = classNames(hint ? hintId : null, error ? errorId : null) || undefined
  return (
    <div className={classNames('text-start', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={field} className={hideLabel ? 'sr-only' : 'mb-1.5 block text-s font-[540] text-ink-2'}>
          {label}
        </label>
        {corner}
      </div>
      {children({ id: field, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={hintId} className="mt-1.5 text-s text-ink-2">
          {hint}
        </p>
      )}
      {error && <ErrorText id={errorId}>{error}</ErrorText>}
    </div>
  )
}
