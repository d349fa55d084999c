import { setTimeout as sleep } from 'node:timers/promises'
import { each } from '../../tools/each.ts'
import { type Line, openLine } from '../../tools/line.ts'
import type { IdleAnswer, IdleRequest } from './idle.ts'
import { standstillMs } from './until.ts'

// Connects people who send nothing. This process answers pings and counts every other packet it receives.
const lines: Line[] = []
const heard: Record<string, number> = {}
let closed = 0

const calls = {
  onEvent(text: string) {
    const packet = text.slice(0, 60)
    heard[packet] = (heard[packet] ?? 0) + 1
  },
  onClosed: () => void closed++,
}

/** Retries refused connections, because a server may refuse some when many connect at the same time. */
async function enter(port: number, token: string): Promise<void> {
  const until = performance.now() + standstillMs
  for (let tries = 1; ; tries++) {
    const line = await openLine(port, token, calls).catch((error: Error) => error)
    if (!(line instanceof Error)) return void lines.push(line)
    if (performance.now() > until) throw line
    await sleep(300 * tries)
  }
}

/** Sends a request on every `every`th connection. Returns the number of requests and how many succeeded. */
async function ask(every: number): Promise<{ asked: number; answered: number }> {
  const some = lines.filter((_, place) => place % every === 0)
  const answers = some.map((line) => new Promise<boolean>((resolve) => line.send('get_conversations', '{}', resolve)))
  const late = sleep(standstillMs).then(() => false)
  const all = await Promise.all(answers.map((answer) => Promise.race([answer, late])))
  return { asked: some.length, answered: all.filter(Boolean).length }
}

async function answer(request: IdleRequest): Promise<IdleAnswer> {
  if ('tokens' in request) {
    const { tokens, ports } = request
    await each(tokens, 40, (token, place) => enter(ports[place % ports.length] as number, token))
    return { connected: lines.length, closed, heard, asked: 0, answered: 0 }
  }
  const before = { ...heard }
  return { ...(await ask(request.every)), connected: lines.length - closed, closed, heard: before }
}

process.on('message', (request: IdleRequest) => {
  answer(request).then(
    (told) => process.send?.(told),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.once('disconnect', () => process.exit(0))
