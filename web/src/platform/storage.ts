/** What the browser keeps for this origin. */
export interface KeptTexts {
  read: (key: string) => string | null
  /** Tells whether the browser keeps it. What it refuses lasts as long as the page. */
  write: (key: string, text: string) => boolean
  remove: (key: string) => void
  keys: () => string[]
}

/** A storage that never throws: it may be forbidden, or full. */
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
  return {
    read: (key) => refused.get(key) ?? attempt((storage) => storage.getItem(key), null),
    write(key, text) {
      // Put in place of what was there, never removed before: other tabs hear of a removal, and take it for signing out.
      const isKept = attempt((storage) => {
        storage.setItem(key, text)
        return true
      }, false)
      refused.delete(key)
      if (isKept) return true
      // The next page must not take what was there before for the newest.
      remove(key)
      refused.set(key, text)
      return false
    },
    remove,
    keys: () => [...refused.keys(), ...attempt((storage) => Object.keys(storage), [])],
  }
}

/** Lasts on this device, and is shared by its tabs. */
export const deviceTexts = textsIn(() => localStorage)
/** Lasts as long as the tab. */
export const tabTexts = textsIn(() => sessionStorage)
