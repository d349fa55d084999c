import { pino } from 'pino'

export type Logger = Pick<
  ReturnType<typeof pino>,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'level'
>

const withoutAddresses = (text: string) => text.replace(/\S+/g, (word) => (word.includes('@') ? '[address]' : word))
const deepestCause = 3

/**
 * Omits error messages that may quote people: those of the database, of a SyntaxError (which quotes the pattern or
 * JSON), and of mail servers (which quote the address).
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
 * Logs JSON lines to standard output, or readable lines on a terminal. Requests are logged by route pattern, without
 * address, query, body or headers, so the log contains no personal data or tokens.
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
      // The form parser's options contain the request's headers, including the token.
      busboyOptions: ({ limits }: { limits?: object }) => ({ limits }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
    ...(process.stdout.isTTY && { transport: { target: 'pino-pretty', options: { ignore: 'hostname,pid' } } }),
  })
}
