import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { FieldFrame, type FieldLabels, fieldBox } from './field-frame.tsx'

type SelectProps = Omit<ComponentProps<'select'>, 'size' | 'children'> &
  FieldLabels & { options: readonly { value: string; label: string }[]; frameClassName?: string }

/** A native select, which works well on every phone and with every screen reader. */
export function Select({
  label,
  hint,
  error,
  hideLabel,
  id,
  options,
  className,
  frameClassName,
  ...rest
}: SelectProps) {
  return (
    <FieldFrame {...{ label, hint, error, id }} hideLabel={hideLabel ?? false} className={frameClassName}>
      {(wiring) => (
        <div className="relative">
          <select {...rest} {...wiring} className={classNames(fieldBox, 'h-12 appearance-none pe-11', className)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden="true" className="pointer-events-none absolute end-4 top-3.5 size-5 text-ink-2" />
        </div>
      )}
    </FieldFrame>
  )
}
