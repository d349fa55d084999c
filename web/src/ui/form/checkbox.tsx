import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { ErrorText } from './error-text.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; error?: string | undefined }

export function Checkbox({ label, error, className, ...rest }: CheckboxProps) {
  const errorId = useId()
  return (
    <div className={className}>
      <label className="flex min-h-11 items-start gap-3 py-2.5 text-start text-[15px]">
        <span className="relative mt-px grid size-5.5 flex-none place-items-center">
          <input
            {...rest}
            type="checkbox"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            className="peer size-5.5 appearance-none rounded-[7px] border-[1.5px] border-ink-3 bg-surface transition checked:border-accent checked:bg-accent aria-invalid:border-bad"
          />
          <Check
            aria-hidden="true"
            className="pointer-events-none absolute size-4 text-on-accent opacity-0 transition peer-checked:opacity-100 [stroke-width:3]"
          />
        </span>
        <span>{label}</span>
      </label>
      {error && <ErrorText id={errorId}>{error}</ErrorText>}
    </div>
  )
}
