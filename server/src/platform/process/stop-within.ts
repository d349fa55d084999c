import type { Logger } from '../logger.ts'

/** One part of a stop, by its name; it hears how many ms are left for all of them. */
export type StopStep = readonly [name: string, stop: (leftMs: number) => unknown]

/** What each step gets when the time for all of them is over. */
const momentMs = 200

/**
 * Runs the steps of a stop one after the other, within `ms` for all of them: a step that takes longer is left behind,
 * with a line in the log, and those after it get a moment each. A step that fails does not keep the others from running.
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
