/** Runs `act` at once, and what is asked for within `ms` after that once at the end of it. */
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
