import type { Profile } from '@duet/contract/profiles.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type CallRequest, type CallResponse, call } from '../../platform/call.ts'
import { codeOf } from '../../platform/problem.ts'
import { showMatch } from '../matches/matches.tsx'
import {
  changeDeck,
  type DeckInMemory,
  decideInMemory,
  deckKey,
  dropCard,
  forgetDecision,
  isOnItsWay,
  type Made,
  putOnTop,
  redoInMemory,
  rollBack,
  settleDecision,
  undoInMemory,
} from './deck-memory.ts'
import { tellRefusal } from './refusals.ts'

type Body = CallRequest<'PUT /api/decisions/:userId'>['body']
/** What to do about whom. `name` is for saying what went wrong. */
export interface Wanted {
  user: { id: string; name: string }
  body: Body
}

/** Below so many cards the deck asks for more. */
const fewCards = 5
// One after the other, so that undo meets the decision it means. Without a connection they fail at once.
const inOrder = { mutationKey: ['decisions'], scope: { id: 'decisions' }, networkMode: 'always' } as const

/** Whether other decisions are still on their way: their counts are ahead of this answer. */
const othersWait = (queryClient: QueryClient) => queryClient.isMutating({ mutationKey: inOrder.mutationKey }) > 1

function keepCounts(queryClient: QueryClient, { today, undoable }: Pick<DeckInMemory, 'today' | 'undoable'>): void {
  if (othersWait(queryClient)) return
  changeDeck(queryClient, (deck) => ({ ...deck, today, undoable }))
}

function readMore(queryClient: QueryClient): void {
  const deck = queryClient.getQueryData<DeckInMemory>(deckKey)
  if (!deck || deck.cards.length >= fewCards || (!deck.more && deck.cards.length > 0)) return
  void queryClient.invalidateQueries({ queryKey: deckKey })
}

/** Lists that a decision changes are read again when they are looked at. */
function refreshLists(queryClient: QueryClient, id: string): void {
  for (const queryKey of [['likes'], ['decisions'], ['nearby'], ['profile', id]])
    void queryClient.invalidateQueries({ queryKey })
}

const changeProfile = (queryClient: QueryClient, id: string, change: Partial<Profile>) =>
  queryClient.setQueryData<Profile>(['profile', id], (profile) => profile && { ...profile, ...change })

/** Likes, passes or puts off: at once on the page, and taken back there when the server refuses. */
export function useDecide() {
  const queryClient = useQueryClient()
  return useMutation({
    ...inOrder,
    mutationFn: ({ user, body }: Wanted) => call('PUT /api/decisions/:userId', { params: { userId: user.id }, body }),
    onMutate: ({ user, body }) => {
      changeProfile(queryClient, user.id, { myDecision: body.decision })
      return decideInMemory(queryClient, user.id, body.decision)
    },
    onSuccess: (answer, { user }, made) => decided(queryClient, user.id, made, answer),
    onError: (error, { user }, made) => {
      const gone = codeOf(error) === 'not_found'
      if (made) rollBack(queryClient, made, gone)
      changeProfile(queryClient, user.id, { myDecision: null })
      refreshLists(queryClient, user.id)
      // The limit or the person's state is not what this page believed.
      if (codeOf(error) !== 'offline') void queryClient.invalidateQueries({ queryKey: deckKey })
      void tellRefusal(error, user.name, Boolean(made?.card) && !gone)
    },
  })
}

function decided(
  queryClient: QueryClient,
  id: string,
  made: Made,
  { match, ...answer }: CallResponse<'PUT /api/decisions/:userId'>,
): void {
  settleDecision(queryClient, made)
  keepCounts(queryClient, answer)
  if (match) {
    forgetDecision(queryClient, made)
    changeProfile(queryClient, id, { matched: true })
    showMatch(match)
  }
  refreshLists(queryClient, id)
  readMore(queryClient)
}

/** Brings the latest decision back, the card on top of the deck. */
export function useUndo() {
  const queryClient = useQueryClient()
  return useMutation({
    ...inOrder,
    mutationFn: () => call('POST /api/decisions/undo'),
    onMutate: () => undoInMemory(queryClient),
    onSuccess: ({ userId, card, ...answer }, _, made) => {
      if (made && made.id !== userId) redoInMemory(queryClient, made)
      // Decided on again before the answer came: the newer decision stands.
      if (card && isOnItsWay(queryClient, userId)) return
      if (card) putOnTop(queryClient, card)
      else dropCard(queryClient, userId)
      keepCounts(queryClient, answer)
      refreshLists(queryClient, userId)
      if (!card) void tellRefusal('gone')
    },
    onError: (error, _, made) => {
      if (made) redoInMemory(queryClient, made)
      if (codeOf(error) === 'not_found') changeDeck(queryClient, (deck) => ({ ...deck, undoable: 0 }))
      void tellRefusal(codeOf(error) === 'not_found' ? 'nothing_to_undo' : error)
    },
  })
}

/** Takes one decision back, whenever it was made. A match stays. */
export function useTakeBack() {
  const queryClient = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: ({ id }: { id: string; name: string }) =>
      call('DELETE /api/decisions/:userId', { params: { userId: id } }),
    onSuccess: (_, { id }) => changeProfile(queryClient, id, { myDecision: null }),
    onError: (error, { name }) => void tellRefusal(error, name),
    onSettled: (_, __, { id }) => {
      refreshLists(queryClient, id)
      void queryClient.invalidateQueries({ queryKey: deckKey })
    },
  })
}
