import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { RateLimit } from './rate-limits.ts'

/** Who may call: anyone, a signed-in person, or a super administrator. */
export type Access = 'public' | 'member' | 'admin'

/** Where an account stands with the rules of the community, best first. */
export const standings = ['good', 'restricted', 'suspended', 'banned'] as const

/** One HTTP operation. The server validates with it, the client is typed by it, OpenAPI prints it. */
export interface EndpointSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/${string}`
  summary: string
  access: Access
  /** Counted once the request is known to be valid, before it is acted on. */
  limit?: RateLimit
  /** The worst standing that still passes, `restricted` when unset; `suspended` lets banned people pass as well. */
  standing?: 'good' | 'restricted' | 'suspended'
  /** Needs a sign-in of the last ten minutes. */
  fresh?: true
  /** Works for administrators before they have passed their second factor. */
  beforeSecondFactor?: true
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The body is multipart/form-data, read as a stream by the handler. */
  multipart?: true
  /** Status of the answer when all is well; 200 when unset. */
  status?: 201 | 202
  response: z.ZodType
  /** Codes this endpoint may answer, beyond those every endpoint may. */
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
// A body that may be left out reaches the handler as null.
type Body<E> = E extends { body: infer S extends z.ZodType }
  ? null extends z.input<S>
    ? { body?: z.input<S> }
    : { body: z.input<S> }
  : unknown
type Form<E> = E extends { multipart: true } ? { form: FormData } : unknown

/** What a caller must send. */
export type RequestOf<E> = Inputs<Part<E, 'params'>> & Body<E> & Query<E> & Form<E>
/** What a handler receives after validation. */
export type ParsedRequestOf<E> = Outputs<Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>>
export type ResponseOf<E extends EndpointSpec> = z.output<E['response']>
/** What a handler must give: the response before it is validated on its way out. */
export type AnswerOf<E extends EndpointSpec> = z.input<E['response']>
