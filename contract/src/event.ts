import type { z } from 'zod'
import type { RateLimit } from './rate-limits.ts'

export interface RequestSpec {
  /** Checked after validation and before the handler runs. */
  limit?: RateLimit
  payload: z.ZodType
  ack?: z.ZodType
}

type AckOf<R> = R extends { ack: infer A extends z.ZodType } ? [ack?: (answer: z.output<A>) => void] : []
type PayloadOf<R> = R extends { payload: infer P extends z.ZodType }
  ? undefined extends z.input<P>
    ? [payload?: Exclude<z.input<P>, undefined>]
    : [payload: z.input<P>]
  : []

export type Requests<M> = { [E in keyof M]: (...args: [...PayloadOf<M[E]>, ...AckOf<M[E]>]) => void }
export type Events<M> = { [E in keyof M]: (payload: M[E] extends z.ZodType ? z.output<M[E]> : never) => void }
