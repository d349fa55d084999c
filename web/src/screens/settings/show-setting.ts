import { useEffect } from 'react'
import { useAddress } from '../../platform/address/address.tsx'
import { settings } from './sections.ts'

/** Leads to the setting that the hash of the address names, as soon as it is there: into view, focused, and marked. */
export function useShownSetting(): void {
  const address = useAddress()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash is part of the address, though not of its value
  useEffect(() => {
    const wanted = settings.find(({ id }) => `#${id}` === window.location.hash)
    if (wanted) return showOnce(wanted.id)
  }, [address])
}

/** Hears whether someone goes to a field or types meanwhile; call it to know, and to hear no more. */
function hearTyping(): () => boolean {
  let isTyping = false
  const hear = ({ target }: Event) => {
    isTyping ||= target instanceof Element && target.matches('input, textarea, [contenteditable]')
  }
  const heard = ['focusin', 'input'] as const
  for (const kind of heard) document.addEventListener(kind, hear)
  return () => {
    for (const kind of heard) document.removeEventListener(kind, hear)
    return isTyping
  }
}

/** Settings arrive when they have been loaded, one after the other. Returns how to stop waiting for one. */
function showOnce(id: string): () => void {
  const isTyping = hearTyping()
  let stop = () => {
    watch.disconnect()
    isTyping()
  }
  const look = () => {
    // While a setting loads, a hidden copy holds its place.
    const element = document.querySelector<HTMLElement>(`#${id}:not([inert] *)`)
    if (!element) return
    watch.disconnect()
    // A new screen starts at its top first.
    const frame = requestAnimationFrame(() => {
      // Who has begun something else is not taken away from it.
      if (!isTyping()) stop = show(element.closest('label') ?? element)
    })
    stop = () => {
      cancelAnimationFrame(frame)
      isTyping()
    }
  }
  const watch = new MutationObserver(look)
  watch.observe(document.body, { childList: true, subtree: true })
  look()
  return () => stop()
}

const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

function show(row: HTMLElement): () => void {
  const intoView = () => row.scrollIntoView({ block: 'center' })
  row.dataset.found = ''
  row.tabIndex = -1
  row.focus({ preventScroll: true })
  intoView()
  // What is above it may still grow, until the mark is gone or the person moves the page.
  const growth = new ResizeObserver(intoView)
  growth.observe(document.body)
  const leave = () => growth.disconnect()
  for (const move of moves) window.addEventListener(move, leave, { once: true })
  const unmark = (event?: AnimationEvent) => {
    if (event && event.target !== row) return
    delete row.dataset.found
    row.removeAttribute('tabindex')
    row.removeEventListener('animationend', unmark)
    for (const move of moves) window.removeEventListener(move, leave)
    leave()
  }
  row.addEventListener('animationend', unmark)
  return () => unmark()
}
