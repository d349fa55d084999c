/** Whether someone is looking at this page: it is visible, and its window has the focus. */
export const isLookedAt = (): boolean => !document.hidden && document.hasFocus()

/** Calls `changed` whenever the result of `isLookedAt` may have changed. Returns how to stop. */
export function followLookedAt(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // Focus that moves into a frame of this page leaves it for a moment, and no other event follows.
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

/** Runs `act` as soon as someone is looking at this page. */
export function whenLookedAt(act: () => void): void {
  const stop = followLookedAt(look)
  function look(): void {
    if (!isLookedAt()) return
    stop()
    act()
  }
  look()
}
