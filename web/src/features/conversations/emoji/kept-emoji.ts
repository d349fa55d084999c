import { ownTexts } from '../../../platform/personal/personal.ts'

/** The recently used emoji, newest first, and the preferred skin tone, from 0 (default) and 1 (light) to 5 (dark). */
export interface KeptEmoji {
  recent: readonly string[]
  tone: number
}

const mostRecent = 24

export function readKeptEmoji(): KeptEmoji {
  try {
    const { recent, tone } = JSON.parse(ownTexts().read('emoji') ?? '{}')
    return {
      recent: Array.isArray(recent) ? recent.filter((one) => typeof one === 'string') : [],
      tone: Number.isInteger(tone) ? tone : 0,
    }
  } catch {
    return { recent: [], tone: 0 }
  }
}

const keep = (kept: KeptEmoji) => void ownTexts().write('emoji', JSON.stringify(kept))

export function keepRecentEmoji(emoji: string): void {
  const { recent, tone } = readKeptEmoji()
  keep({ recent: [emoji, ...recent.filter((one) => one !== emoji)].slice(0, mostRecent), tone })
}

export const keepSkinTone = (tone: number): void => keep({ ...readKeptEmoji(), tone })
