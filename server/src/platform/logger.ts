import { pino } from 'pino'

export type Logger = Pick<
  ReturnType<typeof pino>,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'level'
>

const withoutAddresses = (text: string) => text.replace(/\S+/g, (word) => (word.includes('@') ? '[address]' : word))
const deepestCause = 3

/**
 * Leaves out messages that may quote people: those of the database, of a SyntaxError (the pattern or JSON), and the
 * addresses that mail servers refuse.
 */
export function plainError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack = '', cause } = error
  const { code, severity, table, constraint } = error as Error & Record<string, unknown>
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line))
  const isQuoting = severity !== undefined || error instanceof SyntaxError
  const known = isQuoting ? { table, constraint } : { message: withoutAddresses(message) }
  const because = cause === undefined || depth >= deepestCause ? undefined : plainError(cause, depth + 1)
  return { type: name, code, ...known, stack: frames.join('\n'), ...(because && { cause: because }) }
}

/**
 * JSON lines on standard output, readable lines on a terminal. Requests are logged by route pattern, without address,
 * query, body or headers, so the log has no personal data or tokens.
 */
export function createLogger(level: string): ReturnType<typeof pino> {
  return pino({
    level,
    base: null,
    serializers: {
      err: (error: unknown) => plainError(error),
      req: (request: { method: string; routeOptions?: { url?: string }; id?: string }) => ({
        method: request.method,
        route: request.routeOptions?.url ?? 'unknown',
        id: request.id,
      }),
      // The options of the form parser contain the request's headers, and so its token.
      busboyOptions: ({ limits }: { limits?: object }) => ({ limits }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
    ...(process.stdout.isTTY && { transport: { target: 'pino-pretty', options: { ignore: 'hostname,pid' } } }),
  })
}
