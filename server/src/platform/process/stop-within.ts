import type { Logger } from '../logger.ts'

export type StopStep = readonly [name: string, stop: (leftMs: number) => unknown]

/** How long each remaining step gets once the total time is used up. */
const momentMs = 200

/**
 * Runs the steps of a shutdown in order, within `ms` in total. A step that takes too long is logged and abandoned, and
 * the remaining steps get a moment each. A failing step doesn't stop the others.
 */
export async function stopWithin(ms: number, log: Pick<Logger, 'warn'>, steps: readonly StopStep[]): Promise<void> {
  const deadline = performance.now() + ms
  for (const [name, stop] of steps) {
    const left = Math.max(momentMs, deadline - performance.now())
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, left, 'took too long')
    })
    const work = Promise.resolve()
      .then(() => stop(left))
      .then(
        () => undefined,
        (error: Error) => `failed (${error.message})`,
      )
    const fault = await Promise.race([work, late])
    clearTimeout(timer)
    if (fault !== undefined) log.warn(`stopping: ${name} ${fault}`)
  }
}
