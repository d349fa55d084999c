import { useEffect } from 'react'
import { useAddress } from '../../platform/address/address.tsx'
import { settings } from './sections.ts'

export function useShownSetting(): void {
  const address = useAddress()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash changes when the URL does
  useEffect(() => {
    const wanted = settings.find(({ id }) => `#${id}` === window.location.hash)
    if (wanted) return showOnce(wanted.id)
  }, [address])
}

/**
 * Listens for typing. The returned function stops listening, and returns whether the person typed or focused a field.
 */
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

function showOnce(id: string): () => void {
  const isTyping = hearTyping()
  let stop = () => {
    watch.disconnect()
    isTyping()
  }
  const look = () => {
    // Skips the hidden copy that reserves space while a setting loads.
    const element = document.querySelector<HTMLElement>(`#${id}:not([inert] *)`)
    if (!element) return
    watch.disconnect()
    // Runs after a new screen has scrolled to its top.
    const frame = requestAnimationFrame(() => {
      // If the person is typing, the focus stays where it is.
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
  // Content above the row may still grow, so the row is kept in view until the highlight ends or the person does
  // something.
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
