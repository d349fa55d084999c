import { useQuestions } from './questions.api.ts'

export function useAnswered(): { answered: number; total: number } | undefined {
  const { data } = useQuestions()
  return data && { answered: data.answers.length, total: data.questions.length }
}
