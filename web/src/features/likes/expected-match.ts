import type { Like, LikedItem, LikedItemView } from '@duet/contract/likes.ts'
import type { Match } from '@duet/contract/matches.ts'
import type { Photo } from '@duet/contract/photos.ts'
import type { Profile } from '@duet/contract/profiles.ts'
import type { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { deckKey } from '../../cache/keys.ts'
import type { CallRequest } from '../../platform/call.ts'
import { toast } from '../../platform/toast.ts'
import { type BothLikes, expectMatch, type SaidWithLike, showMatch, withdrawMatch } from '../matches/matches.tsx'
import { likeOf } from './admirers.ts'
import type { DeckInMemory } from './deck-memory.ts'

/** `name` is used in error messages; the photos and prompts are for the match panel. */
export interface WantedDecision {
  user: { id: string; name: string; photos?: readonly Photo[]; prompts?: Profile['prompts'] }
  body: CallRequest<'PUT /api/decisions/:userId'>['body']
  theirs?: Like
  /** True if the list of likes already shows the result, so that it isn't refetched. */
  patched?: boolean
}

function viewOf(
  { photos = [], prompts = [] }: WantedDecision['user'],
  item: LikedItem | undefined,
): LikedItemView | null {
  if (item?.kind === 'photo')
    return { kind: 'photo', photo: photos.find(({ fileName }) => fileName === item.fileName) ?? null }
  const answered = item && prompts.find(({ prompt }) => prompt === item.prompt)
  return answered ? { kind: 'prompt', ...answered } : null
}

const unlessEmpty = ({ item, comment }: SaidWithLike): SaidWithLike | null =>
  item || comment ? { item, comment } : null

/**
 * If the person is known to like me, shows the match panel before the server confirms. Returns undefined if the
 * decision isn't a like.
 */
export function followLike(
  queryClient: QueryClient,
  { user, body, theirs = likeOf(queryClient, user.id) }: WantedDecision,
) {
  if (body.decision !== 'like') return undefined
  const mine = { item: viewOf(user, body.item), comment: body.comment ?? null }
  const said: BothLikes = { mine: unlessEmpty(mine), theirs: theirs ? unlessEmpty(theirs) : null }
  const isExpected = theirs !== undefined && navigator.onLine && likesAreLeft(queryClient)
  const photo = theirs?.user.photos[0] ?? user.photos?.[0] ?? null
  if (isExpected) expectMatch({ id: user.id, name: user.name, photo }, said)
  return {
    settle(match: Match | null): void {
      if (match) showMatch(match, said)
      else if (isExpected && withdrawMatch(user.id)) void tellNotYet(user.name)
    },
    fail: () => void (isExpected && withdrawMatch(user.id)),
  }
}

/** Whether the daily limit allows this like, which `today.likes` already includes. */
function likesAreLeft(queryClient: QueryClient): boolean {
  const today = queryClient.getQueryData<DeckInMemory>(deckKey)?.today
  return !today || today.limit === null || today.likes <= today.limit || Date.parse(today.resetsAt) <= Date.now()
}

async function tellNotYet(name: string): Promise<void> {
  await i18next.loadNamespaces('matches')
  toast.info(i18next.t('matches:notYet', { name }))
}
