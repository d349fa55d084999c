import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { profilesKey, questionsKey } from '../../cache/keys.ts'
import { type CallResponse, call } from '../../platform/call.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'

type Questions = CallResponse<'GET /api/questions'>
export type Question = Questions['questions'][number]

/** The catalogue and my answers. */
export function useQuestions() {
  return useQuery({
    queryKey: questionsKey,
    queryFn: ({ signal }) => call('GET /api/questions', { signal }),
  })
}

// What others' pages say of agreement, and how complete the own profile is, are read again when next shown.
function keepAnswer(queryClient: QueryClient, question: string, answer: QuestionAnswer | undefined): void {
  queryClient.setQueryData<Questions>(questionsKey, (known) => {
    if (!known) return known
    const others = known.answers.filter((other) => other.question !== question)
    return { ...known, answers: answer ? [...others, answer] : others }
  })
  for (const queryKey of [ownDetailsKey, profilesKey]) void queryClient.invalidateQueries({ queryKey })
}

/** Answers a question, or answers it anew. */
export function useAnswerQuestion() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ question, ...body }: QuestionAnswer) =>
      call('PUT /api/questions/:id/answer', { params: { id: question }, body }),
    onSuccess: (answer) => keepAnswer(queryClient, answer.question, answer),
  })
}

/** Takes an answer back. */
export function useDeleteAnswer() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (question: string) => call('DELETE /api/questions/:id/answer', { params: { id: question } }),
    onSuccess: (_, question) => keepAnswer(queryClient, question, undefined),
  })
}
