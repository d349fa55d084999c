import { createStore, delMany, keys, type UseStore } from 'idb-keyval'
import { useSession } from '../session.ts'

/** All personal data in IndexedDB. Each key is a user id, or starts with one and a space. */
const stores = { outbox: 'messages', kept: 'people' } as const
type StoreName = keyof typeof stores

const opened: Partial<Record<StoreName, UseStore>> = {}

export function personalStore(name: StoreName): UseStore {
  opened[name] ??= createStore(`duet-${name}`, stores[name])
  return opened[name]
}

const isOf = (key: string, userId: string | undefined) => key.split(' ')[0] === userId

export async function forgetStored(): Promise<void> {
  for (const name of Object.keys(stores) as StoreName[]) {
    const all = await keys(personalStore(name))
    // Read after the keys, because someone may have signed in while they were read.
    const viewerId = useSession.getState().user?.id
    const others = all.filter((key) => !isOf(String(key), viewerId))
    if (others.length > 0) await delMany(others, personalStore(name))
  }
}
