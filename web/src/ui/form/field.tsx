import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { FieldFrame, type FieldLabels, fieldBox } from './field-frame.tsx'
import { tooLongError } from './too-long.tsx'
import { wordsDir } from './words-dir.ts'

type FieldProps = Omit<ComponentProps<'input'>, 'size'> &
  FieldLabels & {
    /** `l` is 60 px high, for a screen with a single question. */
    size?: 'm' | 'l'
    end?: ReactNode
    frameClassName?: string
  }

/** Text longer than `maxLength` isn't cut off; an error is shown instead. */
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
  maxLength,
  ...rest
}: FieldProps) {
  const height = size === 'l' ? 'h-15 text-xl font-[540]' : 'h-12'
  return (
    <FieldFrame
      {...{ label, hint, id }}
      error={error ?? tooLongError(rest.value, maxLength)}
      hideLabel={hideLabel ?? false}
      className={frameClassName}
    >
      {(wiring) => (
        <div className="relative">
          <input
            {...rest}
            {...wiring}
            dir={wordsDir(rest)}
            className={classNames(fieldBox, height, end ? 'pe-32' : null, className)}
          />
          {end && <div className="absolute inset-y-0 end-1.5 flex items-center">{end}</div>}
        </div>
      )}
    </FieldFrame>
  )
}
