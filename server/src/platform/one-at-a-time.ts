/**
 * `act`, begun only once the last run has ended; until then, everyone gets that one's result. A disk that hangs holds one
 * of Node's few threads for files with each run.
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
