import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { RateLimit } from './rate-limits.ts'

/** `admin` stands for super administrators. */
export type Access = 'public' | 'member' | 'admin'

/** From best to worst. */
export const standings = ['good', 'restricted', 'suspended', 'banned'] as const

/** One HTTP operation. Server validation, client types and the OpenAPI document are all derived from it. */
export interface EndpointSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/${string}`
  summary: string
  access: Access
  /** Checked after validation and before the handler runs. */
  limit?: RateLimit
  /**
   * The worst standing allowed to call the endpoint; `restricted` by default. `suspended` also allows banned people.
   */
  standing?: 'good' | 'restricted' | 'suspended'
  /** Requires a sign-in within the last ten minutes. */
  fresh?: true
  /** Lets administrators call the endpoint before they enter their second factor. */
  beforeSecondFactor?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The body is multipart/form-data, which the handler reads as a stream. */
  multipart?: true
  status?: 201 | 202
  response: z.ZodType
  errors?: readonly ErrorCode[]
}

export function endpoint<const E extends EndpointSpec>(spec: E): E {
  return spec
}

type Part<E, K extends 'params' | 'query' | 'body'> =
  E extends Record<K, infer S extends z.ZodType> ? { [P in K]: S } : unknown
type Inputs<S> = { [P in keyof S]: S[P] extends z.ZodType ? z.input<S[P]> : never }
type Outputs<S> = { [P in keyof S]: S[P] extends z.ZodType ? z.output<S[P]> : never }

type Query<E> = E extends { query: infer S extends z.ZodType }
  ? Record<never, never> extends z.input<S>
    ? { query?: z.input<S> }
    : { query: z.input<S> }
  : unknown
// If the client omits an optional body, the handler gets null.
type Body<E> = E extends { body: infer S extends z.ZodType }
  ? null extends z.input<S>
    ? { body?: z.input<S> }
    : { body: z.input<S> }
  : unknown
type Form<E> = E extends { multipart: true } ? { form: FormData } : unknown

export type RequestOf<E> = Inputs<Part<E, 'params'>> & Body<E> & Query<E> & Form<E>
export type ParsedRequestOf<E> = Outputs<Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>>
export type ResponseOf<E extends EndpointSpec> = z.output<E['response']>
export type AnswerOf<E extends EndpointSpec> = z.input<E['response']>
