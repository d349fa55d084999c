import { by, descending } from '@duet/contract/order.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'
import type { Question } from './questions.api.ts'

export type Topic = Question['topic']

/** With this many answers, a profile counts as complete and can show where two people agree. */
export const enough = 10

const answeredOnes = (answers: readonly QuestionAnswer[]) => new Set(answers.map(({ question }) => question))

/** The first unanswered question after `current` in catalogue order. If `current` is undefined, the first of all. */
export function nextOpen(
  questions: readonly Question[],
  answers: readonly QuestionAnswer[],
  current?: string,
): string | undefined {
  const answered = answeredOnes(answers)
  const from = questions.findIndex(({ id }) => id === current) + 1
  return questions.slice(from).find(({ id }) => !answered.has(id))?.id
}

/** The first unanswered question after the last answered one, or else the first that was skipped. */
export function whereToGoOn(questions: readonly Question[], answers: readonly QuestionAnswer[]): string | undefined {
  const answered = answeredOnes(answers)
  const last = questions.findLast(({ id }) => answered.has(id))?.id
  return nextOpen(questions, answers, last) ?? nextOpen(questions, answers)
}

export interface TopicProgress {
  topic: Topic
  questions: Question[]
  answered: number
  /** Undefined if all questions are answered. */
  next: string | undefined
}

export function progressByTopic(
  order: readonly Topic[],
  questions: readonly Question[],
  answers: readonly QuestionAnswer[],
): TopicProgress[] {
  const known = answeredOnes(answers)
  return order.flatMap((topic) => {
    const some = questions.filter((question) => question.topic === topic)
    const answered = some.filter(({ id }) => known.has(id)).length
    return some.length > 0 ? [{ topic, questions: some, answered, next: whereToGoOn(some, answers) }] : []
  })
}

export function topicToGoOn(topics: readonly TopicProgress[]): TopicProgress | undefined {
  const share = ({ answered, questions }: TopicProgress) => answered / questions.length
  return topics.filter(({ next }) => next).toSorted(descending(by(share)))[0]
}

/** The next topic after `topic` with unanswered questions, wrapping around at the end. */
export function topicAfter(topics: readonly TopicProgress[], topic: Topic): TopicProgress | undefined {
  const at = topics.findIndex((one) => one.topic === topic)
  return [...topics.slice(at + 1), ...topics.slice(0, at)].find(({ next }) => next)
}

export function questionAddress(question: string, topic?: Topic): string {
  return `/questions?${topic ? `topic=${topic}&` : ''}question=${question}`
}
