import type { QuestionAnswer } from '@duet/contract/questions.ts'
import type { Question } from './questions.api.ts'

const answeredOnes = (answers: readonly QuestionAnswer[]) => new Set(answers.map(({ question }) => question))

/** The first open question after `current`, in the order of the catalogue; from the beginning when unset. */
export function nextOpen(
  questions: readonly Question[],
  answers: readonly QuestionAnswer[],
  current?: string,
): string | undefined {
  const answered = answeredOnes(answers)
  const from = questions.findIndex(({ id }) => id === current) + 1
  return questions.slice(from).find(({ id }) => !answered.has(id))?.id
}

/** Where to go on: behind the last answer, else at the first question that was left open. */
export function whereToGoOn(questions: readonly Question[], answers: readonly QuestionAnswer[]): string | undefined {
  const answered = answeredOnes(answers)
  const last = questions.findLast(({ id }) => answered.has(id))?.id
  return nextOpen(questions, answers, last) ?? nextOpen(questions, answers)
}
