import type { ErrorCode, FieldError, Problem } from '@duet/contract/errors.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { passingFault } from '../database/database-faults.ts'
import { AppError, invalid, malformed, notFound } from '../errors.ts'
import { createFaultLines } from '../fault-lines.ts'
import { StorageFault } from '../storage/storage-fault.ts'

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

const fastifyCodes: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed', 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed', 'The body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'The Content-Length does not fit the body.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send application/json.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_media_type', 'Send multipart/form-data.'],
  FST_REQ_FILE_TOO_LARGE: ['payload_too_large', 'A file is too large.'],
  FST_FILES_LIMIT: ['payload_too_large', 'Too many files.'],
  FST_FIELDS_LIMIT: ['payload_too_large', 'Too many fields.'],
  FST_PARTS_LIMIT: ['payload_too_large', 'Too many parts.'],
  FST_ERR_HANDLER_TIMEOUT: ['unavailable', 'This took too long. Try again.'],
  FST_PROTO_VIOLATION: ['malformed', 'A field has a name that is not allowed.'],
}

/** For texts that PostgreSQL can't store: a NUL or half a surrogate pair. */
const databaseCodes: Record<string, [ErrorCode, string]> = {
  '22021': ['malformed', 'A text has a character that is not allowed.'],
  '22P05': ['malformed', 'A text has a character that is not allowed.'],
}

/** The request referenced an account that was erased in the meantime. */
const namesErased = ({ code, detail }: { code?: string; detail?: string }) =>
  code === '23503' && detail?.endsWith('is not present in table "accounts".') === true

function fieldErrors(error: {
  validation: readonly { instancePath: string; message?: string | undefined }[]
}): FieldError[] {
  return error.validation.map(({ instancePath, message = 'is not valid' }) => ({
    path: instancePath.replace(/^\//, '').replaceAll('/', '.'),
    message,
  }))
}

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof StorageFault) return new AppError('unavailable', "Photos and files can't be reached. Try again.")
  if (hasZodFastifySchemaValidationErrors(error)) return invalid(fieldErrors(error))
  if (namesErased((error ?? {}) as { code?: string })) return notFound()
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError>
  const known = fastifyCodes[code] ?? databaseCodes[code] ?? passingFault(error)
  if (known) return new AppError(...known)
  if (statusCode >= 400 && statusCode < 500) return malformed('The request cannot be read.')
  return new AppError('internal', 'Something went wrong on our side.')
}

function problemOf(error: AppError, requestId: string): Problem {
  return {
    type: `urn:duet:problem:${error.code}`,
    title: titles[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    code: error.code,
    ...(error.errors && { errors: error.errors }),
    requestId,
  }
}

function send(reply: FastifyReply, error: AppError, requestId: string) {
  reply.request.problem = error.code
  if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
  const body = JSON.stringify(problemOf(error, requestId))
  return reply.code(error.status).type('application/problem+json; charset=utf-8').serializer(String).send(body)
}

/**
 * Whether the client disconnected while sending. This isn't our fault, although the socket error looks like a database
 * error.
 */
const isBrokenOff = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

export function createErrorHandler() {
  const isWorthALine = createFaultLines()
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = isBrokenOff(request) ? malformed('The request ends early.') : toAppError(error)
    if (isWorthALine(answer)) request.log.error({ err: error, req: request }, 'a request failed')
    return send(reply, answer, request.id)
  }
}

export function answerBadAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
  const answer = isTooLong
    ? new AppError('not_found', "There's nothing here.")
    : malformed('The address cannot be read.')
  return send(reply, answer, request.id)
}

export const longestName = 300

export function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply) {
  const path = decodeURI(request.url.split(/[?#]/)[0] ?? '')
  const isTooLong = path.split('/').some((name) => name.length > longestName)
  const others = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
    (method) =>
      !isTooLong &&
      method !== request.method &&
      path.startsWith('/api') &&
      request.server.findRoute({ method, url: path }) !== null,
  )
  if (others.length === 0) return send(reply, new AppError('not_found', "There's nothing here."), request.id)
  reply.header('allow', others.join(', '))
  return send(reply, new AppError('method_not_allowed', `Use ${others.join(' or ')}.`), request.id)
}
