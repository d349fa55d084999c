export function createTimers() {
  const running = new Set<ReturnType<typeof setTimeout>>()
  return {
    later(act: () => void, delay: number): void {
      const timer = setTimeout(() => {
        running.delete(timer)
        act()
      }, delay)
      running.add(timer)
    },
    stop(): void {
      for (const timer of running) clearTimeout(timer)
      running.clear()
    },
  }
}

export type Timers = ReturnType<typeof createTimers>
