import * as contract from '@duet/contract/questions.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { answerQuestion, deleteAnswer, listQuestions } from './questions.ts'

export function questionRoutes(serve: Serve, platform: Platform): void {
  serve(contract.listQuestions, (_input, { viewer }) => listQuestions(platform, viewer.id))
  serve(contract.answerQuestion, ({ params, body }, { viewer }) =>
    answerQuestion(platform, viewer.id, { question: params.id, ...body }),
  )
  serve(contract.deleteAnswer, async ({ params }, { viewer }) => {
    await deleteAnswer(platform, viewer.id, params.id)
    return { ok: true } as const
  })
}
