import { useQuestions } from './questions.api.ts'

/** How many of the questions I have answered; undefined until it is known. */
export function useAnswered(): { answered: number; total: number } | undefined {
  const { data } = useQuestions()
  return data && { answered: data.answers.length, total: data.questions.length }
}
