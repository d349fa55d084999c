import { useSession } from '../../../platform/session.ts'
import { deviceTexts } from '../../../platform/storage.ts'

/** What someone chose last, newest first, and the skin tone they choose in: 0 is none, 1 to 5 go from light to dark. */
export interface KeptEmoji {
  recent: readonly string[]
  tone: number
}

const mostRecent = 24
const keyOf = (viewerId: string) => `emoji:${viewerId}`
const ownKey = () => keyOf(useSession.getState().user?.id ?? '')

export function readKeptEmoji(): KeptEmoji {
  try {
    const { recent, tone } = JSON.parse(deviceTexts.read(ownKey()) ?? '{}')
    return { recent: Array.isArray(recent) ? recent.filter((one) => typeof one === 'string') : [], tone: tone ?? 0 }
  } catch {
    return { recent: [], tone: 0 }
  }
}

const keep = (kept: KeptEmoji) => void deviceTexts.write(ownKey(), JSON.stringify(kept))

export function keepRecentEmoji(emoji: string): void {
  const { recent, tone } = readKeptEmoji()
  keep({ recent: [emoji, ...recent.filter((one) => one !== emoji)].slice(0, mostRecent), tone })
}

export const keepSkinTone = (tone: number): void => keep({ ...readKeptEmoji(), tone })

/** Forgets what someone chose, as when they sign out. */
export const forgetKeptEmoji = (viewerId: string): void => deviceTexts.remove(keyOf(viewerId))
