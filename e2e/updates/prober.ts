import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from '../faults/device.ts'
import type { Node } from '../faults/nodes.ts'
import type { Chance } from '../faults/random.ts'

/** People who browse through a load balancer, which uses a node as long as the node reports that it is ready. */
export interface Prober {
  answered(): number
  refused(): Map<string, number>
  /** Responses that an update must never cause, one line each: 5xx, and requests without a response. */
  failures(): string[]
  stop(): Promise<void>
}

const lookEveryMs = 250
const askEveryMs = 60

type Ask = (method: string, path: string, body?: object) => Promise<unknown>

const acts: ((ask: Ask, me: Person, others: readonly Person[], chance: Chance) => Promise<unknown>)[] = [
  (ask) => ask('GET', '/api/user/myDetails'),
  (ask) => ask('GET', '/api/deck'),
  (ask) => ask('GET', '/api/user/nearBy'),
  (ask) => ask('GET', '/api/messages/history'),
  (ask) => ask('GET', '/api/likes'),
  (ask, _, others, chance) => ask('GET', `/api/user/${chance.pick(others).id}`),
  (ask, _, others, chance) =>
    ask('PUT', `/api/decisions/${chance.pick(others).id}`, { decision: chance.next() < 0.5 ? 'like' : 'pass' }),
  (ask, _, __, chance) => ask('PATCH', '/api/user/updateUser', { bio: `${chance.next()}` }),
]

export function startProber(nodes: readonly Node[], people: readonly Person[], chance: Chance): Prober {
  const failures: string[] = []
  const going = new Set<Promise<unknown>>()
  const refused = new Map<string, number>()
  let answered = 0
  let ready: Node[] = []
  const isReady = (node: Node) =>
    fetch(`http://127.0.0.1:${node.port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const look = async () => {
    const up = nodes.filter((node) => node.isUp())
    const oks = await Promise.all(up.map(isReady))
    ready = up.filter((_, place) => oks[place])
  }

  async function act(): Promise<void> {
    const me = chance.pick(people)
    const { port } = chance.pick(ready)
    const ask: Ask = async (method, path, body) => {
      const headers = {
        authorization: `Bearer ${me.tokens[0]}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const what = `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`
      try {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        if (answer.ok) answered++
        else if (answer.status < 500)
          refused.set(`${what} ${answer.status}`, (refused.get(`${what} ${answer.status}`) ?? 0) + 1)
        else failures.push(`${what}: ${answer.status} ${text.slice(0, 200)}`)
      } catch (error) {
        failures.push(`${what}: ${(error as Error).cause ?? error}`)
      }
    }
    await chance.pick(acts)(
      ask,
      me,
      people.filter((one) => one !== me),
      chance,
    )
  }

  let isOver = false
  const looking = (async () => {
    for (; !isOver; await sleep(lookEveryMs)) await look()
  })()
  const asking = (async () => {
    for (; !isOver; await sleep(askEveryMs)) {
      if (ready.length === 0) continue
      const one = act().finally(() => going.delete(one))
      going.add(one)
    }
  })()
  return {
    answered: () => answered,
    refused: () => refused,
    failures: () => failures,
    async stop() {
      isOver = true
      await Promise.all([looking, asking])
      await Promise.all(going)
    },
  }
}
