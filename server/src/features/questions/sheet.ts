import { importances, questionCatalogue } from '@duet/contract/question-catalogue.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'

export const entryBytes = 2

/** A question's index in the catalogue, which is also its position on every sheet; undefined for an unknown id. */
export function findPlace(questionId: string): number | undefined {
  const place = questionCatalogue.findIndex(({ id }) => id === questionId)
  return place < 0 ? undefined : place
}

const choicesAt = (place: number): readonly string[] => questionCatalogue[place]?.choices ?? []

/** Encodes an answer to the question at `place` in two bytes. The choices must belong to this question. */
export function writeEntry(place: number, { choice, accepts, importance }: QuestionAnswer): Uint8Array {
  const choices = choicesAt(place)
  const mask = accepts.reduce((bits, accepted) => bits | (1 << choices.indexOf(accepted)), 0)
  return Uint8Array.of((choices.indexOf(choice) + 1) | (importances.indexOf(importance) << 4), mask)
}

function readEntry(place: number, first: number, mask: number): QuestionAnswer[] {
  const question = questionCatalogue[place]
  const choice = question?.choices[(first & 7) - 1]
  const importance = importances[first >> 4]
  if (!question || !choice || !importance) return []
  return [
    { question: question.id, choice, accepts: question.choices.filter((_, bit) => mask & (1 << bit)), importance },
  ]
}

/** Leaves out answers to unknown questions. */
export function readSheet(sheet: Uint8Array): QuestionAnswer[] {
  const places = Array.from({ length: Math.floor(sheet.length / entryBytes) }, (_, place) => place)
  return places.flatMap((place) => readEntry(place, sheet[place * entryBytes] ?? 0, sheet[place * entryBytes + 1] ?? 0))
}

/** The shortest possible sheet. Leaves out answers to unknown questions. */
export function writeSheet(answers: readonly QuestionAnswer[]): Uint8Array {
  const placed = answers.flatMap((answer) => {
    const place = findPlace(answer.question)
    return place === undefined ? [] : [{ place, answer }]
  })
  const sheet = new Uint8Array(placed.reduce((end, { place }) => Math.max(end, place + 1), 0) * entryBytes)
  for (const { place, answer } of placed) sheet.set(writeEntry(place, answer), place * entryBytes)
  return sheet
}
