import { useSession, whenPersonChanges } from '../session.ts'
import { allTexts, tabTexts } from '../storage.ts'

/** Keys have the form `name:userId` or `name:userId:about`. */
const names = ['blurPhotos', 'decision', 'draft', 'emoji', 'profile-draft'] as const
type Name = (typeof names)[number]
/** Set from sign-out until the databases have been cleared, because the page may close before then. */
const unswept = 'unswept'

const viewerId = () => useSession.getState().user?.id

/** Texts stored on this device for one person. Only the signed-in person's texts can be written. */
export function textsOf(userId: string | undefined) {
  const keyOf = (name: Name, about?: string) => [name, userId, ...(about === undefined ? [] : [about])].join(':')
  return {
    keyOf,
    read: (name: Name, about?: string) => (userId ? allTexts.read(keyOf(name, about)) : null),
    write: (name: Name, text: string, about?: string) =>
      userId !== undefined && userId === viewerId() && allTexts.write(keyOf(name, about), text),
    remove: (name: Name, about?: string) => allTexts.remove(keyOf(name, about)),
    listed(name: Name): string[] {
      const start = keyOf(name, '')
      return allTexts.keys().flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []))
    },
  }
}

/** Texts of the signed-in person. They are deleted when the session ends, for whatever reason. */
export const ownTexts = () => textsOf(viewerId())

async function sweepStores(): Promise<void> {
  const { forgetStored } = await import('./stores.ts')
  await forgetStored()
  allTexts.remove(unswept)
}

export function forgetOthers(): void {
  for (const key of allTexts.keys()) {
    const [name, userId] = key.split(':')
    if (names.some((one) => one === name) && userId !== viewerId()) allTexts.remove(key)
  }
  if (allTexts.read(unswept) !== null) void sweepStores().catch(() => undefined)
}

// Not in a component, because people may sign out in another tab or while no such component is mounted.
whenPersonChanges((leftId) => {
  // The page that a visitor wanted to open is kept, to return there after sign-in.
  const stays = leftId === undefined ? ['destination'] : []
  for (const key of tabTexts.keys()) if (!stays.includes(key)) tabTexts.remove(key)
  allTexts.write(unswept, 'yes')
  forgetOthers()
})
