import { questionCatalogue } from '@duet/contract/question-catalogue.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { minutes } from '../../platform/clock.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { upTo } from '../../platform/up-to.ts'
import { clearEntry, findSheets, putEntry } from './questions.queries.ts'
import { entryBytes, findPlace, readSheet, writeEntry } from './sheet.ts'
import { dayOf } from './told-sheets.ts'

/** The answer sheets of `userIds`, two bytes per question in catalogue order. People without answers are left out. */
export async function answersOf(pool: pg.Pool, userIds: readonly string[]): Promise<Map<string, Uint8Array>> {
  if (userIds.length === 0) return new Map()
  const rows = await findSheets(pool, userIds)
  return new Map(rows.map(({ user_id, sheet }) => [user_id, sheet]))
}

const noSheet = new Uint8Array()
const remembered = { ...upTo(100_000), ttl: minutes(1) }
const sheetsBy = new WeakMap<pg.Pool, LRUCache<string, Uint8Array>>()

function sheetsIn(pool: pg.Pool): LRUCache<string, Uint8Array> {
  const known = sheetsBy.get(pool) ?? new LRUCache<string, Uint8Array>(remembered)
  sheetsBy.set(pool, known)
  return known
}

/** Like `answersOf`, for ranking many people. Other people's answers may be up to a minute old. */
export async function recentAnswersOf(pool: pg.Pool, userIds: readonly string[]): Promise<Map<string, Uint8Array>> {
  const known = sheetsIn(pool)
  const sheets = new Map(userIds.map((id) => [id, known.get(id)]))
  const missing = userIds.filter((id) => sheets.get(id) === undefined)
  const found = await answersOf(pool, missing)
  for (const id of missing) {
    const sheet = found.get(id) ?? noSheet
    known.set(id, sheet)
    sheets.set(id, sheet)
  }
  return new Map([...sheets].flatMap(([id, sheet]) => (sheet && sheet !== noSheet ? [[id, sheet] as const] : [])))
}

export async function listQuestions(platform: Pick<Platform, 'pool'>, viewerId: string) {
  const sheet = (await answersOf(platform.pool, [viewerId])).get(viewerId)
  return {
    questions: questionCatalogue.map(({ id, topic, choices }) => ({ id, topic, choices: [...choices] })),
    answers: sheet ? readSheet(sheet) : [],
  }
}

/** Throws not found for an unknown question, and `validation_failed` for choices that the question doesn't have. */
export async function answerQuestion(
  platform: Pick<Platform, 'db' | 'clock'>,
  viewerId: string,
  answer: QuestionAnswer,
): Promise<QuestionAnswer> {
  const place = placeOf(answer.question)
  const choices: readonly string[] = questionCatalogue[place]?.choices ?? []
  const wrong = [
    ...(choices.includes(answer.choice) ? [] : ['choice']),
    ...answer.accepts.flatMap((accepted, index) => (choices.includes(accepted) ? [] : [`accepts.${index}`])),
  ]
  if (wrong.length > 0) throw invalid(wrong.map((path) => ({ path, message: 'not a choice of this question' })))
  await putEntry(
    platform.db,
    { userId: viewerId, day: dayOf(platform.clock.now()) },
    place * entryBytes,
    writeEntry(place, answer),
  )
  return { ...answer, accepts: choices.filter((choice) => answer.accepts.includes(choice)) }
}

export async function deleteAnswer(
  platform: Pick<Platform, 'db' | 'clock'>,
  viewerId: string,
  questionId: string,
): Promise<void> {
  await clearEntry(
    platform.db,
    { userId: viewerId, day: dayOf(platform.clock.now()) },
    placeOf(questionId) * entryBytes,
    entryBytes,
  )
}

function placeOf(questionId: string): number {
  const place = findPlace(questionId)
  if (place === undefined) throw notFound()
  return place
}
