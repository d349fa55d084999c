/**
 * Shares a pending run with all callers, because each run on a hanging disk would block one of Node's few file threads.
 */
export function oneAtATime<R>(act: () => Promise<R>): () => Promise<R> {
  let running: Promise<R> | undefined
  return () => {
    running ??= act().finally(() => {
      running = undefined
    })
    return running
  }
}
