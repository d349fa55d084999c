/** In milliseconds. */
export interface Percentiles {
  p50: number
  p95: number
  p99: number
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((a, b) => a - b)
  return { p50: at(sorted, 0.5), p95: at(sorted, 0.95), p99: at(sorted, 0.99) }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

export function medianOf(rounds: readonly Percentiles[]): Percentiles {
  const middle = (of: keyof Percentiles) =>
    at(
      [...rounds.map((round) => round[of])].sort((a, b) => a - b),
      0.5,
    )
  return { p50: middle('p50'), p95: middle('p95'), p99: middle('p99') }
}

export async function timed(act: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await act()
  return performance.now() - since
}
