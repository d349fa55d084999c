import type { Like, LikedItem } from '@duet/contract/likes.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallRequest } from '../../platform/call.ts'
import { problemCode } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'
import { prepareMatch } from '../matches/matches.tsx'
import { useDecide, useTakeBack } from './likes.api.ts'
import { dropFromTab, type Tab } from './likes-lists.api.ts'

type Body = CallRequest<'PUT /api/decisions/:userId'>['body']

export type Act = 'like' | 'pass' | 'takeBack' | 'undo'
export const actsOf: Record<Tab, readonly Act[]> = {
  received: ['pass', 'like'],
  sent: ['takeBack'],
  passes: ['undo', 'like'],
  later: ['pass', 'like'],
}

function itemOf({ item }: Like): LikedItem | undefined {
  if (item?.kind === 'prompt') return { kind: 'prompt', prompt: item.prompt }
  return item?.photo ? { kind: 'photo', fileName: item.photo.fileName } : undefined
}

/** My previous decision, so that undo can restore it. Undefined for received likes, which I hadn't answered. */
function formerDecision(tab: Tab, like: Like): Body | undefined {
  if (tab === 'received') return undefined
  if (tab !== 'sent') return { decision: tab === 'passes' ? 'pass' : 'later' }
  const item = itemOf(like)
  return { decision: 'like', ...(item && { item }), ...(like.comment && { comment: like.comment }) }
}

export function useAnswers(tab: Tab) {
  // The `discovery` texts explain failures, so preload them.
  const { t } = useTranslation(['likes', 'discovery'])
  const queryClient = useQueryClient()
  const { mutateAsync: decide } = useDecide()
  const { takeBack } = useTakeBack()
  useEffect(() => {
    if (tab === 'received') prepareMatch()
  }, [tab])
  const answering = useRef(new Set<string>())

  const send = async (like: Like, act: Act): Promise<void> => {
    const { id, name, photos } = like.user
    const user = { id, name, photos }
    const former = formerDecision(tab, like)
    const putBack = await dropFromTab(queryClient, tab, like)
    const undo = () => {
      putBack()
      return former ? decide({ user, body: former, patched: true }) : takeBack(user, true)
    }
    const theirs = tab === 'received' && { theirs: like }
    const retracts = act === 'takeBack' || act === 'undo'
    const sent = retracts ? takeBack(user, true) : decide({ user, body: { decision: act }, patched: true, ...theirs })
    const answer = await sent.catch((error: unknown) => {
      if (problemCode(error) !== 'not_found') putBack()
      throw error
    })
    // The match panel or a toast already shows the result.
    if (theirs && act === 'like') return
    if (answer && 'match' in answer && answer.match) return
    // `undo` shows its own toast if it fails.
    toast.success(t(`done.${act}`, { name: user.name }), {
      undo: { label: t('undo'), onUndo: () => void undo().catch(() => undefined) },
    })
  }
  return async (like: Like, act: Act): Promise<void> => {
    if (answering.current.has(like.user.id)) return
    answering.current.add(like.user.id)
    await send(like, act).finally(() => answering.current.delete(like.user.id))
  }
}
