import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { FieldFrame, type FieldLabels, fieldBox } from './field-frame.tsx'

type FieldProps = Omit<ComponentProps<'input'>, 'size'> &
  FieldLabels & {
    /** `l` is 60 high, for a screen with one question. */
    size?: 'm' | 'l'
    /** Stands inside the box, at its end. */
    end?: ReactNode
    frameClassName?: string
  }

/** One line of text with its label, hint and error. */
export function Field({
  label,
  hint,
  error,
  hideLabel,
  size = 'm',
  end,
  id,
  className,
  frameClassName,
  ...rest
}: FieldProps) {
  const height = size === 'l' ? 'h-15 text-xl font-[540]' : 'h-12'
  return (
    <FieldFrame {...{ label, hint, error, id }} hideLabel={hideLabel ?? false} className={frameClassName}>
      {(wiring) => (
        <div className="relative">
          <input {...rest} {...wiring} className={classNames(fieldBox, height, end ? 'pe-32' : null, className)} />
          {end && <div className="absolute inset-y-0 end-1.5 flex items-center">{end}</div>}
        </div>
      )}
    </FieldFrame>
  )
}
