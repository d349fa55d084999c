/** A throttle: the first call runs immediately, and calls within `ms` after a run are merged into one at the end. */
export function atMostEvery(ms: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let again = false
  const run = () => {
    again = false
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (again) run()
    }, ms).unref()
  }
  return () => {
    if (timer) again = true
    else run()
  }
}
