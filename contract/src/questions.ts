import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Done } from './ids.ts'
import { importances, questionTopics } from './question-catalogue.ts'

/** The id of a question or choice. The handler checks whether it exists. */
const Id = z.string().max(64)

export const Importance = z.enum(importances)
export type Importance = z.infer<typeof Importance>

export const QuestionAnswer = z.object({
  question: z.string(),
  choice: z.string(),
  accepts: z.array(z.string()),
  importance: Importance,
})
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

const params = z.object({ id: z.string() })

export const listQuestions = endpoint({
  method: 'GET',
  path: '/api/questions',
  summary: 'The compatibility questions, and my answers. No one else ever sees them.',
  access: 'member',
  response: z.object({
    questions: z.array(z.object({ id: z.string(), topic: z.enum(questionTopics), choices: z.array(z.string()) })),
    answers: z.array(QuestionAnswer),
  }),
})

export const answerQuestion = endpoint({
  method: 'PUT',
  path: '/api/questions/:id/answer',
  summary: 'Answer a question, or change the answer. People who care about it accept at least one choice.',
  access: 'member',
  params,
  body: z
    .strictObject({
      choice: Id,
      accepts: z
        .array(Id)
        .max(16)
        .transform((list) => [...new Set(list)]),
      importance: Importance,
    })
    .refine(({ accepts, importance }) => importance === 'irrelevant' || accepts.length > 0, {
      path: ['accepts'],
      message: 'choose at least one, unless it is irrelevant',
    }),
  response: QuestionAnswer,
  errors: ['not_found'],
})

export const deleteAnswer = endpoint({
  method: 'DELETE',
  path: '/api/questions/:id/answer',
  summary: 'Delete an answer. Safe to repeat.',
  access: 'member',
  params,
  response: Done,
  errors: ['not_found'],
})

export const questionEndpoints = [listQuestions, answerQuestion, deleteAnswer] as const
