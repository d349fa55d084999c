import { type RefObject, useEffect } from 'react'

// Elements in which letter keys have another meaning.
const occupied = 'input, textarea, select, [contenteditable]'
const covers = '[role=dialog], [role=alertdialog], [role=menu]'

function isMeantElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.repeat || event.isComposing) return true
  if (event.metaKey || event.ctrlKey || event.altKey) return true
  const target = event.target instanceof Element ? event.target : document.body
  return target.closest(occupied) !== null || document.querySelector(covers) !== null
}

/** A shortcut key presses the button in `root` whose `aria-keyshortcuts` contains it, except while someone types. */
export function useShortcuts(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || isMeantElsewhere(event)) return
      const named = `[aria-keyshortcuts="${CSS.escape(event.key.toUpperCase())}"]`
      const button = root.current?.querySelector<HTMLElement>(named)
      if (!button || button.matches(':disabled')) return
      event.preventDefault()
      button.click()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [root])
}
