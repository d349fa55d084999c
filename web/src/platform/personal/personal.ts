import { useSession, whenPersonChanges } from '../session.ts'
import { allTexts, tabTexts } from '../storage.ts'

/** All names of texts stored for one person. Their keys have the form `name:userId` or `name:userId:about`. */
const names = ['blurPhotos', 'decision', 'draft', 'emoji', 'profile-draft'] as const
type Name = (typeof names)[number]
/** Set until the databases are cleared after someone signed out: the page may close before that is done. */
const unswept = 'unswept'

const viewerId = () => useSession.getState().user?.id

/** Texts stored on this device for one person. Only those of the person who is signed in can be written. */
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

/** Texts of the person who is signed in. They are deleted when the session ends, for whatever reason. */
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

// Not in a screen: people also sign out in other tabs, and while none of these screens is mounted.
whenPersonChanges((leftId) => {
  // A visitor's destination is kept for the person they sign in as.
  const stays = leftId === undefined ? ['destination'] : []
  for (const key of tabTexts.keys()) if (!stays.includes(key)) tabTexts.remove(key)
  allTexts.write(unswept, 'yes')
  forgetOthers()
})
