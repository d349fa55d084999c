import { by, descending } from '@duet/contract/order.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'
import type { Question } from './questions.api.ts'

export type Topic = Question['topic']

/** Answers that are enough to see where two people agree; the profile counts as complete with them. */
export const enough = 10

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

export interface TopicProgress {
  topic: Topic
  questions: Question[]
  answered: number
  /** Where to go on; unset once all are answered. */
  next: string | undefined
}

/** The topics in the order in which the catalogue names them, and how far each got. */
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

/** The topic to go on with: the one that is furthest along and not done yet. */
export function topicToGoOn(topics: readonly TopicProgress[]): TopicProgress | undefined {
  const share = ({ answered, questions }: TopicProgress) => answered / questions.length
  return topics.filter(({ next }) => next).toSorted(descending(by(share)))[0]
}

/** The next topic after `topic` that has open questions, from the beginning again behind the last. */
export function topicAfter(topics: readonly TopicProgress[], topic: Topic): TopicProgress | undefined {
  const at = topics.findIndex((one) => one.topic === topic)
  return [...topics.slice(at + 1), ...topics.slice(0, at)].find(({ next }) => next)
}

/** The address of a question, within its topic or among all. */
export function questionAddress(question: string, topic?: Topic): string {
  return `/questions?${topic ? `topic=${topic}&` : ''}question=${question}`
}
