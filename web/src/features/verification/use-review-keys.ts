import { type RefObject, useEffect } from 'react'

// Elements in which letter keys have another meaning.
const occupied = 'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]'
const steps: Partial<Record<string, number>> = { j: 1, k: -1 }

function isTyped(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return true
  if (event.metaKey || event.ctrlKey || event.altKey) return true
  const target = event.target instanceof Element ? event.target : document.body
  return target.closest(occupied) !== null || document.querySelector('[role=dialog], [role=alertdialog]') !== null
}

function currentOf(items: readonly HTMLElement[]): HTMLElement | undefined {
  return items.find((item) => item.contains(document.activeElement)) ?? items[0]
}

function press(event: KeyboardEvent, list: HTMLElement): void {
  const items = [...list.children].filter((child) => child instanceof HTMLElement)
  const current = currentOf(items)
  if (!current || isTyped(event)) return
  const key = event.key.toLowerCase()
  const step = steps[key]
  if (step !== undefined) {
    const next = current.contains(document.activeElement) ? items[items.indexOf(current) + step] : current
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const named = `[aria-keyshortcuts="${CSS.escape(key.toUpperCase())}"]`
  const button = step === undefined ? current.querySelector<HTMLElement>(named) : undefined
  if (step !== undefined || button) event.preventDefault()
  if (!button) return
  if (!current.contains(document.activeElement)) current.focus()
  button.click()
}

/**
 * J and K move the focus through the items of a list. Other keys press the current item's button with that shortcut.
 */
export function useReviewKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => list.current && press(event, list.current)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list])
}
