import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type ChoiceCardProps = Omit<ComponentProps<'input'>, 'type' | 'size'> & {
  type?: 'radio' | 'checkbox'
  label: ReactNode
  hint?: ReactNode
}

export function ChoiceCard({ type = 'radio', label, hint, ...rest }: ChoiceCardProps) {
  return (
    <label className="relative flex min-h-15 items-center gap-4 rounded-m border-[1.5px] border-ink-3 bg-surface px-4 py-3 text-start transition hover:border-ink-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent">
      <span className="flex-1">
        <span className="block font-[560]">{label}</span>
        {hint && <span className="block text-s text-ink-2">{hint}</span>}
      </span>
      <input {...rest} type={type} className="peer absolute inset-0 size-full cursor-pointer opacity-0" />
      <Check aria-hidden="true" className="text-accent opacity-0 transition peer-checked:opacity-100" />
    </label>
  )
}
