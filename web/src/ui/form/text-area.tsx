import { asProse } from '@duet/contract/written-text.ts'
import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { FieldFrame, type FieldLabels, fieldBox } from './field-frame.tsx'
import { tooLongError } from './too-long.tsx'
import { useGrowing } from './use-growing.ts'
import { wordsDir } from './words-dir.ts'

type TextAreaProps = ComponentProps<'textarea'> & FieldLabels & { value: string; frameClassName?: string }

/** With a `maxLength`, shows a counter. Longer text isn't cut off; an error is shown instead. */
export function TextArea({
  label,
  hint,
  error,
  hideLabel,
  id,
  className,
  frameClassName,
  maxLength,
  ref,
  ...rest
}: TextAreaProps) {
  const { value, rows = 3 } = rest
  const box = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => box.current as HTMLTextAreaElement)
  useGrowing(box, value)
  const { length } = asProse(value)
  const counter = maxLength ? (
    <span className={classNames('text-xs', length >= maxLength ? 'text-bad' : 'text-ink-2')} aria-hidden="true">
      {length}/{maxLength}
    </span>
  ) : undefined
  return (
    <FieldFrame
      {...{ label, hint, id }}
      error={error ?? tooLongError(value, maxLength, asProse)}
      hideLabel={hideLabel ?? false}
      className={frameClassName}
      corner={counter}
    >
      {(wiring) => (
        <textarea
          {...rest}
          {...wiring}
          ref={box}
          dir={wordsDir(rest)}
          // Sets the height here because `field-sizing` ignores `rows`.
          style={{ minHeight: `calc(${rows} * 1lh + 27px)` }}
          className={classNames(fieldBox, 'field-sizing-content block resize-none py-3', className)}
        />
      )}
    </FieldFrame>
  )
}
