export const isLookedAt = (): boolean => !document.hidden && document.hasFocus()

/** Calls `changed` whenever `isLookedAt` may have changed. Returns a function that removes the listeners. */
export function followLookedAt(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Moving the focus into an iframe of this page briefly blurs the window, and no other event follows.
  const onBlur = () => {
    timer = setTimeout(changed)
  }
  window.addEventListener('focus', changed)
  window.addEventListener('blur', onBlur)
  document.addEventListener('visibilitychange', changed)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('focus', changed)
    window.removeEventListener('blur', onBlur)
    document.removeEventListener('visibilitychange', changed)
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
