/** Runs the tasks of a key one after the other, in the order they were given; other keys do not wait. */
export type InOrder = <T>(key: string, task: () => Promise<T>) => Promise<T>

export function createInOrder(): InOrder {
  const last = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task)
    last.set(key, turn)
    const forget = () => {
      if (last.get(key) === turn) last.delete(key)
    }
    turn.then(forget, forget)
    return turn
  }
}
