import { pino } from 'pino'

export type Logger = Pick<
  ReturnType<typeof pino>,
  'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'child' | 'level'
>

/**
 * JSON lines on standard output, readable lines on a terminal. Requests are logged by route pattern: no address,
 * no query, no body, no header, so no personal data and no token.
 */
export function createLogger(level: string): ReturnType<typeof pino> {
  return pino({
    level,
    base: null,
    serializers: {
      req: (request: { method: string; routeOptions?: { url?: string }; id?: string }) => ({
        method: request.method,
        route: request.routeOptions?.url ?? 'unknown',
        id: request.id,
      }),
      // What a form is read with holds the headers of its request, and with them the token.
      busboyOptions: ({ limits }: { limits?: object }) => ({ limits }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
    ...(process.stdout.isTTY && { transport: { target: 'pino-pretty', options: { ignore: 'hostname,pid' } } }),
  })
}
