/** A token bucket: `burst` at once and `perSecond` after that. */
export interface Budget {
  burst: number
  perSecond: number
}

// A person types and taps; this is far more than anybody does by hand.
export const eventsOfConnection: Budget = { burst: 60, perSecond: 20 }
// Whoever goes on and on after they were told to wait is cut off.
export const refusalsOfConnection: Budget = { burst: 2_000, perSecond: 100 }
// When everybody comes back at once, the storm spreads over some seconds: who is refused tries again by itself.
export const handshakesOfProcess: Budget = { burst: 2_000, perSecond: 1_000 }

/** The returned function takes one and answers 0, or the milliseconds to wait for the next. `scale` multiplies both. */
export function createBudget(
  { burst, perSecond }: Budget,
  scale: number,
  now: () => number = () => performance.now(),
): () => number {
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
