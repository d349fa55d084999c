export const bars = 48

/** Converts an RMS amplitude from 0 to 1 into a perceived level: 0 is near silence, 1 is the loudest. */
export function levelOf(rms: number): number {
  const decibels = 20 * Math.log10(Math.max(rms, 1e-5))
  return Math.min(1, Math.max(0, (decibels + 52) / 44))
}

/** Reduces levels from 0 to 1 to `count` bars from 0 to 100. Each bar is the peak of its section. */
export function waveformOf(levels: readonly number[], count = bars): number[] {
  if (levels.length === 0) return Array(count).fill(0)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count)
    const to = Math.max(from + 1, Math.floor(((index + 1) * levels.length) / count))
    return Math.round(100 * Math.max(...levels.slice(from, to)))
  })
}

export function clockOf(ms: number, language: string): string {
  const seconds = Math.floor(ms / 1000)
  const two = new Intl.NumberFormat(language, { minimumIntegerDigits: 2 })
  const plain = new Intl.NumberFormat(language)
  return `${plain.format(Math.floor(seconds / 60))}:${two.format(seconds % 60)}`
}
