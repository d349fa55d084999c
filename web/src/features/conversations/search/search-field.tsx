import { Search, X } from 'lucide-react'
import { IconButton } from '../../../ui/icon-button.tsx'

interface SearchFieldProps {
  label: string
  closeLabel: string
  value: string
  onChange: (text: string) => void
  onClose: () => void
}

export function SearchField({ label, closeLabel, value, onChange, onClose }: SearchFieldProps) {
  return (
    <search className="flex flex-1 items-center gap-1">
      <span className="relative flex-1">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute start-3.5 top-1/2 size-4.5! -translate-y-1/2 text-ink-2"
        />
        <input
          // biome-ignore lint/a11y/noAutofocus: shown only when the person asks for it
          autoFocus
          type="search"
          aria-label={label}
          placeholder={label}
          dir="auto"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            onClose()
          }}
          className="h-11 w-full rounded-full bg-sunken ps-10.5 pe-4 placeholder:text-ink-2 focus-visible:outline-offset-0 [&::-webkit-search-cancel-button]:hidden"
        />
      </span>
      <IconButton label={closeLabel} icon={<X aria-hidden="true" />} onClick={onClose} />
    </search>
  )
}
