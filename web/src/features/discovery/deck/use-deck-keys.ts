import type { Decision } from '@duet/contract/profiles.ts'
import { type RefObject, useEffect, useRef } from 'react'

export type DeckAct = Decision | 'undo'

const acts: Record<string, DeckAct> = {
  ArrowLeft: 'pass',
  ArrowRight: 'like',
  ArrowUp: 'later',
  z: 'undo',
  u: 'undo',
}
// Elements that already handle these keys.
const occupied =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=slider]'

function actOf(event: KeyboardEvent, deck: HTMLElement): DeckAct | undefined {
  if (event.defaultPrevented || event.repeat || event.isComposing) return undefined
  if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return undefined
  const target = event.target instanceof Element ? event.target : document.body
  if (target.closest(occupied) || document.querySelector('[role=dialog], [role=alertdialog], [role=menu]'))
    return undefined
  // Ignore keys pressed elsewhere on the page, for example in the conversations.
  const loose = target === document.body || target === document.documentElement || target.id === 'content'
  if (!loose && !deck.contains(target)) return undefined
  if (deck.checkVisibility && !deck.checkVisibility()) return undefined
  return acts[event.key.length === 1 ? event.key.toLowerCase() : event.key]
}

/** Arrow keys and Z or U control the deck, except while someone types or a dialog is open. */
export function useDeckKeys(deck: RefObject<HTMLElement | null>, on: boolean, onAct: (act: DeckAct) => void): void {
  const latest = useRef(onAct)
  useEffect(() => {
    latest.current = onAct
  })
  useEffect(() => {
    if (!on) return
    const press = (event: KeyboardEvent) => {
      const act = deck.current && actOf(event, deck.current)
      if (!act) return
      event.preventDefault()
      latest.current(act)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [deck, on])
}
