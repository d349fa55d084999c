import type { Like, LikedItem } from '@duet/contract/likes.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CallRequest } from '../../platform/call.ts'
import { toast } from '../../platform/toast.ts'
import { useDecide, useTakeBack } from './likes.api.ts'
import { dropFromTab, type Tab } from './likes-lists.api.ts'

type Body = CallRequest<'PUT /api/decisions/:userId'>['body']

/** What can be done with somebody in a list. */
export type Act = 'like' | 'pass' | 'takeBack'
export const actsOf: Record<Tab, readonly Act[]> = {
  received: ['pass', 'like'],
  sent: ['takeBack'],
  passes: ['like'],
  later: ['pass', 'like'],
}

function itemOf({ item }: Like): LikedItem | undefined {
  if (item?.kind === 'prompt') return { kind: 'prompt', prompt: item.prompt }
  return item?.photo ? { kind: 'photo', fileName: item.photo.fileName } : undefined
}

/** The decision as it was before, so that it can be made again. Whoever likes me has none of mine. */
function formerDecision(tab: Tab, like: Like): Body | undefined {
  if (tab === 'received') return undefined
  if (tab !== 'sent') return { decision: tab === 'passes' ? 'pass' : 'later' }
  const item = itemOf(like)
  return { decision: 'like', ...(item && { item }), ...(like.comment && { comment: like.comment }) }
}

/** Answers somebody in the list `tab`: they leave it at once, a match opens, everything else can be undone. */
export function useAnswers(tab: Tab) {
  const { t } = useTranslation('likes')
  const queryClient = useQueryClient()
  const { mutateAsync: decide } = useDecide()
  const { mutateAsync: takeBack } = useTakeBack()

  return async (like: Like, act: Act): Promise<void> => {
    const user = { id: like.user.id, name: like.user.name }
    const former = formerDecision(tab, like)
    const undo = () => (former ? decide({ user, body: former }) : takeBack(user))
    await dropFromTab(queryClient, tab, user.id)
    const { match } =
      act === 'takeBack'
        ? await takeBack(user).then(() => ({ match: null }))
        : await decide({ user, body: { decision: act } })
    if (match) return
    // A refused undo tells why by itself.
    toast.success(t(`done.${act}`, { name: user.name }), {
      undo: { label: t('undo'), onUndo: () => void undo().catch(() => undefined) },
    })
  }
}
