import { useQuestions } from './questions.api.ts'

/** Undefined until loaded. */
export function useAnswered(): { answered: number; total: number } | undefined {
  const { data } = useQuestions()
  return data && { answered: data.answers.length, total: data.questions.length }
}
