import type { LikedItem } from '@duet/contract/likes.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../platform/toast.ts'
import { Extra } from '../../../ui/boundary.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { useDecide } from '../../likes/likes.ts'
import { isLikeLimitReached, likeBody } from '../deck/use-deck-acts.ts'
import { useDeckInMemory } from '../discovery.api.ts'

const ItemDialog = lazily(() => import('./item-dialog.tsx'))

/**
 * The liked item is a photo, an answer, or null for the person as a whole. `likeItem` opens `dialog`, which the caller
 * must render; it is undefined if liking isn't possible now.
 */
export function useItemLike(user: Profile) {
  const { t } = useTranslation('discovery')
  const decide = useDecide()
  const deck = useDeckInMemory()
  const [item, setItem] = useState<LikedItem | null>()
  const { canLike, matched, myDecision } = user
  const isOpen = canLike && !matched && myDecision !== 'like' && !(deck && isLikeLimitReached(deck))
  const like = (comment: string): boolean => {
    if (navigator.onLine) decide.mutate({ user, body: likeBody({ ...(item && { item }), comment }) })
    else toast.error(t('refused.offline'))
    return navigator.onLine
  }
  const dialog = isOpen && item !== undefined && (
    <Extra onFail={() => setItem(undefined)}>
      <ItemDialog user={user} item={item} onClose={() => setItem(undefined)} onLike={like} />
    </Extra>
  )
  return { likeItem: isOpen ? setItem : undefined, dialog }
}
