export interface KeptTexts<Key extends string = string> {
  read: (key: Key) => string | null
  /** Returns whether the browser stored the text. If it didn't, the text is available until the page closes. */
  write: (key: Key, text: string) => boolean
  /**
   * Like `write`, but keeps the stored text if the browser can't store the new one. Returns whether the old or the new
   * text is stored.
   */
  amend: (key: Key, text: string) => boolean
  remove: (key: Key) => void
  keys: () => string[]
}

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
    // Doesn't remove the key first: other tabs would get an event for the removal and treat it as signing out.
    const isKept = attempt((storage) => {
      storage.setItem(key, text)
      return true
    }, false)
    refused.delete(key)
    if (isKept) return true
    // Otherwise, the next page would mistake the old text for the latest.
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

/** Stored on this device and shared by its tabs. Only `personal/personal.ts` may use this. */
export const allTexts = textsIn(() => localStorage)
/** Stored until the tab closes or the person signs out. */
export const tabTexts = textsIn(() => sessionStorage)

/**
 * The session, and device settings that all users of the device share. Use `ownTexts` for anything that a person
 * writes.
 */
export type DeviceKey = 'user' | 'theme' | 'language' | 'home-mode' | 'deck-keys' | 'push' | 'push-answered'
export const deviceTexts: KeptTexts<DeviceKey> = allTexts

export function keepsTexts(): boolean {
  const isKept = allTexts.write('probe', 'yes')
  allTexts.remove('probe')
  return isKept
}
