import type { promptIds } from '@duet/contract/catalogue.ts'
import type { LikedItemView } from '@duet/contract/liked-items.ts'
import type { Photo } from '@duet/contract/photos.ts'
import type { LikedRow } from './matches.queries.ts'

interface Owner {
  photos: readonly Photo[] | undefined
  prompts: readonly { prompt: string }[]
}

/** The liked photo, or the liked prompt with its answer at the time; null once its owner no longer shows it. */
export function shownLiked(liked: LikedRow | null, { photos = [], prompts }: Owner): LikedItemView | null {
  if (liked?.kind === 'photo') {
    const photo = photos.find(({ fileName }) => fileName === liked.id)
    return photo ? { kind: 'photo', photo } : null
  }
  if (!liked || !prompts.some(({ prompt }) => prompt === liked.id)) return null
  return { kind: 'prompt', prompt: liked.id as (typeof promptIds)[number], answer: liked.text ?? '' }
}
