// A person types and taps; sixty at once and twenty a second after that is far more than anybody does by hand.
const burst = 60
const perSecond = 20

/** A token bucket: the returned function takes one event and answers 0, or the milliseconds to wait for the next. */
export function createBudget(scale: number, now: () => number = () => performance.now()): () => number {
  let tokens = burst * scale
  let last = now()
  return () => {
    const at = now()
    tokens = Math.min(burst * scale, tokens + ((at - last) / 1000) * perSecond * scale)
    last = at
    if (tokens < 1) return Math.ceil(((1 - tokens) / (perSecond * scale)) * 1000)
    tokens -= 1
    return 0
  }
}
