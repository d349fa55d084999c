export interface KeptTexts<Key extends string = string> {
  read: (key: Key) => string | null
  /** Returns whether the browser stored the text. A refused text lasts as long as the page. */
  write: (key: Key, text: string) => boolean
  /** Like `write`, but keeps the stored text if the browser refuses the new one. Returns whether either is stored. */
  amend: (key: Key, text: string) => boolean
  remove: (key: Key) => void
  keys: () => string[]
}

/** Wraps a storage so that it never throws, even if it's blocked or full. */
function textsIn(open: () => Storage): KeptTexts {
  const refused = new Map<string, string>()
  const attempt = <T>(act: (storage: Storage) => T, otherwise: T): T => {
    try {
      return act(open())
    } catch {
      return otherwise
    }
  }
  const remove = (key: string) => {
    refused.delete(key)
    attempt((storage) => storage.removeItem(key), undefined)
  }
  const write = (key: string, text: string) => {
    // Overwrites without removing first: other tabs get an event for a removal and take it for signing out.
    const isKept = attempt((storage) => {
      storage.setItem(key, text)
      return true
    }, false)
    refused.delete(key)
    if (isKept) return true
    // The next page must not mistake the old text for the newest.
    remove(key)
    refused.set(key, text)
    return false
  }
  return {
    read: (key) => refused.get(key) ?? attempt((storage) => storage.getItem(key), null),
    write,
    amend(key, text) {
      const isOlderKept = attempt((storage) => storage.getItem(key), null) !== null
      if (!isOlderKept) return write(key, text)
      refused.delete(key)
      attempt((storage) => storage.setItem(key, text), undefined)
      return true
    },
    remove,
    keys: () => [...refused.keys(), ...attempt((storage) => Object.keys(storage), [])],
  }
}

/** Stored on this device and shared by its tabs. For `personal/personal.ts` only. */
export const allTexts = textsIn(() => localStorage)
/** Stored until the tab closes or the person signs out. */
export const tabTexts = textsIn(() => sessionStorage)

/** The session, and settings of the device that all its users share. Whatever a person writes belongs in `ownTexts`. */
export type DeviceKey = 'user' | 'theme' | 'language' | 'home-mode' | 'deck-keys' | 'push' | 'push-answered'
export const deviceTexts: KeptTexts<DeviceKey> = allTexts

export function keepsTexts(): boolean {
  const isKept = allTexts.write('probe', 'yes')
  allTexts.remove('probe')
  return isKept
}
