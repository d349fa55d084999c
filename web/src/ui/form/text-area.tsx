import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { FieldFrame, type FieldLabels, fieldBox } from './field-frame.tsx'

type TextAreaProps = ComponentProps<'textarea'> & FieldLabels & { value: string; frameClassName?: string }

/** Several lines of text; with a `maxLength` it counts what is left near the end. */
export function TextArea({ label, hint, error, hideLabel, id, className, frameClassName, ...rest }: TextAreaProps) {
  const { maxLength, value, rows = 3 } = rest
  const counter = maxLength ? (
    <span className={classNames('text-xs', value.length >= maxLength ? 'text-bad' : 'text-ink-2')} aria-hidden="true">
      {value.length}/{maxLength}
    </span>
  ) : undefined
  return (
    <FieldFrame
      {...{ label, hint, error, id }}
      hideLabel={hideLabel ?? false}
      className={frameClassName}
      corner={counter}
    >
      {(wiring) => (
        <textarea
          {...rest}
          {...wiring}
          // It grows with what is written, which sets `rows` aside.
          style={{ minHeight: `calc(${rows} * 1lh + 27px)` }}
          className={classNames(fieldBox, 'field-sizing-content block resize-none py-3', className)}
        />
      )}
    </FieldFrame>
  )
}
