import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { profilesKey, questionsKey } from '../../cache/keys.ts'
import { type CallResponse, call } from '../../platform/call.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'

type Questions = CallResponse<'GET /api/questions'>
export type Question = Questions['questions'][number]

export function useQuestions() {
  return useQuery({
    queryKey: questionsKey,
    queryFn: ({ signal }) => call('GET /api/questions', { signal }),
  })
}

// Also refetches other people's profiles, which show how much we agree, and my details, which show how complete my
// profile is.
function keepAnswer(queryClient: QueryClient, question: string, answer: QuestionAnswer | undefined): void {
  queryClient.setQueryData<Questions>(questionsKey, (known) => {
    if (!known) return known
    const others = known.answers.filter((other) => other.question !== question)
    return { ...known, answers: answer ? [...others, answer] : others }
  })
  for (const queryKey of [ownDetailsKey, profilesKey]) void queryClient.invalidateQueries({ queryKey })
}

export function useAnswerQuestion() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ question, ...body }: QuestionAnswer) =>
      call('PUT /api/questions/:id/answer', { params: { id: question }, body }),
    onSuccess: (answer) => keepAnswer(queryClient, answer.question, answer),
  })
}

export function useDeleteAnswer() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (question: string) => call('DELETE /api/questions/:id/answer', { params: { id: question } }),
    onSuccess: (_, question) => keepAnswer(queryClient, question, undefined),
  })
}
