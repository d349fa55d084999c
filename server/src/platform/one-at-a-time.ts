/** Shares a pending run between all callers: on a hanging disk, each run would block one of Node's few file threads. */
export function oneAtATime<R>(act: () => Promise<R>): () => Promise<R> {
  let running: Promise<R> | undefined
  return () => {
    running ??= act().finally(() => {
      running = undefined
    })
    return running
  }
}
