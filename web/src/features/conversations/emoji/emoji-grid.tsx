import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { type EmojiEntry, inTone } from './emoji-catalogue.ts'

interface EmojiGridProps {
  label: string
  entries: readonly EmojiEntry[]
  tone: number
  first: RefObject<HTMLButtonElement | null>
  onLeave: () => void
  /** `more` means that the picker should stay open for another emoji. */
  onChoose: (emoji: string, more: boolean) => void
}

function columnsOf(list: HTMLElement): number {
  const items = [...list.children] as HTMLElement[]
  const second = items.findIndex(({ offsetTop }) => offsetTop > (items[0]?.offsetTop ?? 0))
  return second < 0 ? items.length : second
}

export function EmojiGrid({ label, entries, tone, first, onLeave, onChoose }: EmojiGridProps) {
  const list = useRef<HTMLUListElement>(null)
  const [active, setActive] = useState(0)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!list.current) return
    const columns = columnsOf(list.current)
    const forward = getComputedStyle(list.current).direction === 'rtl' ? -1 : 1
    const last = entries.length - 1
    const steps: Record<string, number> = {
      ArrowRight: active + forward,
      ArrowLeft: active - forward,
      ArrowDown: Math.min(active + columns, last),
      ArrowUp: active - columns,
      Home: 0,
      End: last,
    }
    const wanted = steps[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    if (event.key === 'ArrowUp' && wanted < 0) return onLeave()
    const next = Math.min(Math.max(wanted, 0), last)
    setActive(next)
    list.current.querySelectorAll('button')[next]?.focus()
  }
  return (
    <ul
      ref={list}
      aria-label={label}
      onKeyDown={onKeyDown}
      className="grid grid-cols-[repeat(auto-fill,minmax(44px,1fr))] justify-items-center px-1.5 pb-2"
    >
      {entries.map((entry, index) => (
        <li key={entry.emoji}>
          <button
            ref={index === 0 ? first : null}
            type="button"
            aria-label={entry.name}
            title={entry.name}
            tabIndex={index === active ? 0 : -1}
            onFocus={() => setActive(index)}
            onClick={({ shiftKey }) => onChoose(inTone(entry, tone), shiftKey)}
            className="grid size-11 place-items-center overflow-hidden rounded-m text-[26px]/none transition hover:bg-sunken focus-visible:-outline-offset-2 active:scale-90"
          >
            {inTone(entry, tone)}
          </button>
        </li>
      ))}
    </ul>
  )
}
