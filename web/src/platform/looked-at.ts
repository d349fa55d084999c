/** How long attention must last before it counts, in ms: a tapped notification focuses the page before its chat opens. */
const settlesAfter = 300

export const isLookedAt = (): boolean => !document.hidden && document.hasFocus()

/** Calls `changed` when `isLookedAt` may have changed. Returns a function that removes the listeners. */
export function followLookedAt(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Moving the focus into an iframe of this page briefly blurs the window, and no other event follows.
  const settle = () => {
    clearTimeout(timer)
    timer = setTimeout(changed, settlesAfter)
  }
  // The browser may freeze a hidden page before any timer runs.
  const onVisibility = () => (document.hidden ? changed() : settle())
  window.addEventListener('focus', settle)
  window.addEventListener('blur', settle)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('focus', settle)
    window.removeEventListener('blur', settle)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

export function whenLookedAt(act: () => void): void {
  const stop = followLookedAt(look)
  function look(): void {
    if (!isLookedAt()) return
    stop()
    act()
  }
  look()
}
