import { useId } from 'react'
import { classNames } from '../class-names.ts'

interface SegmentedProps<V extends string> {
  label: string
  options: readonly { value: V; label: string }[]
  value: V
  onChange: (value: V) => void
  className?: string
}

export function Segmented<V extends string>({ label, options, value, onChange, className }: SegmentedProps<V>) {
  const name = useId()
  return (
    <fieldset className={classNames('inline-flex rounded-full bg-sunken p-1', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative grid h-9 flex-1 place-items-center rounded-full px-4.5 text-[15px] font-[560] whitespace-nowrap text-ink-2 transition after:absolute after:-inset-y-1 after:inset-x-0 has-checked:bg-raised has-checked:text-ink has-checked:shadow-[0_1px_3px_rgb(60_40_25/.14)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 z-1 size-full cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
