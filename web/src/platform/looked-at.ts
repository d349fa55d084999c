export const isLookedAt = (): boolean => !document.hidden && document.hasFocus()

/** Calls `changed` whenever `isLookedAt` may have changed. Returns a function that stops this. */
export function followLookedAt(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Focus that moves into an iframe of this page blurs the window for a moment, and no other event follows.
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
