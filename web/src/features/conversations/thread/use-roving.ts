import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { messagesOf } from '../message/albums.ts'
import type { Row } from './thread-row.tsx'

const keyOf = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-key]')?.dataset.key

interface Place {
  key: string
  index: number
}

const placesOf = (rows: readonly Row[]): Place[] =>
  rows.flatMap((row, index) => messagesOf(row).map(({ key }) => ({ key, index })))

function wantedPlace(key: string, rows: readonly Row[], from: string | undefined): Place | undefined {
  const messages = placesOf(rows)
  const at = messages.findIndex((place) => place.key === from)
  const steps: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: messages.length - 1 }
  const step = steps[key]
  return step === undefined ? undefined : messages[Math.min(Math.max(step, 0), messages.length - 1)]
}

export function useRoving(
  rows: readonly Row[],
  log: RefObject<HTMLElement | null>,
  show: RefObject<(index: number) => void>,
) {
  const [active, setActive] = useState<string>()
  const toFocus = useRef<string>(undefined)
  useLayoutEffect(() => {
    const key = toFocus.current
    const row = key && log.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
    if (!row) return
    toFocus.current = undefined
    row.focus({ preventScroll: true })
  })
  const lead = useCallback((key: string) => {
    toFocus.current = key
    setActive(key)
  }, [])
  const index = active === undefined ? -1 : rows.findIndex((row) => messagesOf(row).some(({ key }) => key === active))
  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).dataset.key
    const wanted = row === undefined ? undefined : wantedPlace(event.key, rows, active)
    if (wanted === undefined) return
    event.preventDefault()
    lead(wanted.key)
    show.current(wanted.index)
  }
  const onFocus = ({ target }: FocusEvent) => setActive(keyOf(target))
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setActive(undefined)
  }
  return { active, index, lead, handlers: { onKeyDown, onFocus, onBlur } }
}
