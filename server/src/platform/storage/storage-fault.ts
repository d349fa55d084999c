import type { Storage } from './storage.ts'

/** The photo or backup store can't be reached or rejects a request. The database and the client aren't at fault. */
export class StorageFault extends Error {
  override name = 'StorageFault'
}

export function renamingFaults(storage: Storage, rename: (error: unknown) => unknown): Storage {
  const renaming =
    <A extends unknown[], R>(act: (...args: A) => Promise<R>) =>
    (...args: A) =>
      act(...args).catch((error: unknown) => {
        throw rename(error)
      })
  return {
    put: renaming(storage.put),
    get: renaming(storage.get),
    putFile: renaming(storage.putFile),
    open: renaming(storage.open),
    addressOf: renaming(storage.addressOf),
    remove: renaming(storage.remove),
    removeUnfinished: renaming(storage.removeUnfinished),
    verify: renaming(storage.verify),
    async *list() {
      try {
        yield* storage.list()
      } catch (error) {
        throw rename(error)
      }
    },
  }
}
