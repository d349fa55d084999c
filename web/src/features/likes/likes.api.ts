import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshPerson } from '../../cache/forget-person.ts'
import { decisionsKey, deckKey } from '../../cache/keys.ts'
import { type CallResponse, call } from '../../platform/call.ts'
import { isUnsure, problemCode } from '../../platform/problem.ts'
import { prepareMatch } from '../matches/matches.tsx'
import {
  changeProfile,
  type DeckInMemory,
  decideInMemory,
  dropCard,
  type Failure,
  forgetDecision,
  forgetUndoable,
  keepCounts,
  latestDecision,
  type Made,
  mayBeUndone,
  onItsWay,
  putOnTop,
  redoInMemory,
  rollBack,
  settleDecision,
  settleUndo,
  undoInMemory,
} from './deck-memory.ts'
import { followLike, type WantedDecision } from './expected-match.ts'
import { keepDecision } from './keep-decision.ts'
import { decisionRequest } from './kept-decisions.ts'
import { tellRefusal } from './refusals.ts'

const fewCards = 5
// Sent one at a time, so that an undo arrives after the decision that it undoes. When offline, decisions fail
// immediately instead of waiting.
const oneAtATime = { mutationKey: decisionsKey, scope: { id: 'decisions' }, networkMode: 'always' } as const

/** Whether other decisions are pending. The counts in a response then don't include them yet. */
const othersWait = (queryClient: QueryClient) => queryClient.isMutating({ mutationKey: oneAtATime.mutationKey }) > 1

function refillDeck(queryClient: QueryClient): void {
  const deck = queryClient.getQueryData<DeckInMemory>(deckKey)
  if (!deck || deck.cards.length >= fewCards || (!deck.more && deck.cards.length > 0)) return
  void queryClient.invalidateQueries({ queryKey: deckKey })
}

function failureOf(error: unknown): Failure {
  if (isUnsure(error)) return 'unsure'
  return problemCode(error) === 'not_found' ? 'gone' : 'refused'
}

const readDeck = (queryClient: QueryClient) => void queryClient.invalidateQueries({ queryKey: deckKey })

export function useDecide() {
  const queryClient = useQueryClient()
  return useMutation({
    ...oneAtATime,
    mutationFn: ({ user, body }: WantedDecision) =>
      call('PUT /api/decisions/:userId', { params: { userId: user.id }, body, ...decisionRequest }),
    onMutate: (wanted) => {
      const { user, body } = wanted
      const made = decideInMemory(queryClient, user.id, body.decision)
      if (body.decision === 'like') prepareMatch()
      return { made, like: followLike(queryClient, wanted), forget: keepDecision(user.id, body) }
    },
    onSettled: (_, __, ___, started) => started?.forget(),
    onSuccess: (answer, { user, patched }, { made, like }) => {
      decided(queryClient, user.id, made, answer)
      refreshPerson(queryClient, user.id, { patched })
      like?.settle(answer.match)
    },
    onError: (error, { user }, started) => {
      const failure = failureOf(error)
      const made = started?.made
      started?.like?.fail()
      if (made) rollBack(queryClient, made, failure)
      refreshPerson(queryClient, user.id)
      // The daily limit or the other person's state isn't what this page assumed.
      readDeck(queryClient)
      void tellRefusal(error, user.name, Boolean(made?.card) && failure !== 'gone')
    },
  })
}

function decided(
  queryClient: QueryClient,
  id: string,
  made: Made,
  { match, decision: _, ...counts }: CallResponse<'PUT /api/decisions/:userId'>,
): void {
  settleDecision(queryClient, made)
  if (!othersWait(queryClient)) keepCounts(queryClient, counts)
  if (match) {
    forgetDecision(queryClient, made)
    dropCard(queryClient, id)
    changeProfile(queryClient, id, { matched: true })
  }
  refillDeck(queryClient)
}

/**
 * The request names the person, so that the server can't undo a different decision. If the decision was refused in the
 * meantime, sends nothing and returns null.
 */
export function useUndo() {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    ...oneAtATime,
    mutationFn: async (made: Made) =>
      mayBeUndone(queryClient, made)
        ? call('POST /api/decisions/undo', { body: { userId: made.id }, ...decisionRequest })
        : null,
    onMutate: (made) => {
      undoInMemory(queryClient, made)
      return keepDecision(made.id, 'undo')
    },
    onSettled: (_, __, ___, forget) => forget?.(),
    onSuccess: (answer) => (answer ? undone(queryClient, answer) : readDeck(queryClient)),
    onError: (error, made) => undoFailed(queryClient, error, made),
  })
  return { latest: () => latestDecision(queryClient), undo: mutate }
}

function undone(
  queryClient: QueryClient,
  { userId, card, decision: _, ...counts }: CallResponse<'POST /api/decisions/undo'>,
): void {
  // If there is a newer decision about the person, it stays.
  const isDecided = onItsWay(queryClient, userId)
  settleUndo(queryClient, userId)
  if (!othersWait(queryClient)) keepCounts(queryClient, counts)
  refreshPerson(queryClient, userId)
  if (isDecided) return
  if (card) putOnTop(queryClient, card)
  else {
    dropCard(queryClient, userId)
    void tellRefusal('gone')
  }
}

function undoFailed(queryClient: QueryClient, error: unknown, made: Made): void {
  const code = problemCode(error)
  const isOther = code === 'not_found' || code === 'conflict'
  // The server never received the decision, so don't restore it.
  if (made.unsure) forgetDecision(queryClient, made)
  else redoInMemory(queryClient, made)
  if (isOther) forgetUndoable(queryClient)
  readDeck(queryClient)
  if (made.unsure && isOther) return
  void tellRefusal(isOther ? (code === 'conflict' ? 'not_latest' : 'nothing_to_undo') : error)
}

interface Taken extends Pick<WantedDecision, 'patched'> {
  id: string
  name: string
  made: Made | undefined
}

/**
 * A match can't be undone. If the decision was refused in the meantime, nothing is sent and the previous decision
 * stays.
 */
export function useTakeBack() {
  const queryClient = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    ...oneAtATime,
    mutationFn: async ({ id, made }: Taken) =>
      !made || mayBeUndone(queryClient, made)
        ? call('DELETE /api/decisions/:userId', { params: { userId: id }, ...decisionRequest })
        : null,
    onMutate: ({ id }) => keepDecision(id, 'take-back'),
    onSuccess: (answer, { id }) => {
      if (!answer) return
      settleUndo(queryClient, id)
      changeProfile(queryClient, id, { myDecision: null })
    },
    onError: (error, { name, made }) => {
      if (!made?.unsure || problemCode(error) !== 'not_found') void tellRefusal(error, name)
    },
    onSettled: (answer, _, { id, patched }, forget) => {
      forget?.()
      refreshPerson(queryClient, id, { patched: patched && Boolean(answer) })
      readDeck(queryClient)
    },
  })
  const takeBack = ({ id, name }: WantedDecision['user'], patched = false) =>
    mutateAsync({ id, name, patched, made: onItsWay(queryClient, id) })
  return { takeBack, isPending }
}
