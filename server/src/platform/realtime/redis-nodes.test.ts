import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NodeListener } from './nodes.ts'
import type { Bus } from './redis.ts'
import { joinNodes } from './redis-nodes.ts'

type Handler = (message: unknown) => void
const times = { refreshMs: 60, leaseMs: 2_000 }

function createWire(isLost: (from: string, to: string) => boolean = () => false) {
  const handlers = new Map<string, Handler[]>()
  const ears = new Map<string, Set<string>>()
  const relistened: string[] = []
  function carry(from: string, to: string, message: object): void {
    if (!isLost(from, to)) for (const handler of handlers.get(to) ?? []) handler(JSON.parse(JSON.stringify(message)))
  }
  const busOf = (id: string): Bus => ({
    toAll: (message) => queueMicrotask(() => [...handlers.keys()].forEach((to) => void carry(id, to, message))),
    toNode: (to, message) => queueMicrotask(() => carry(id, to, message)),
    toPerson: (userId, message) =>
      queueMicrotask(() => [...(ears.get(userId) ?? [])].forEach((to) => void carry(id, to, message))),
    hear: async (userId) => void ears.set(userId, (ears.get(userId) ?? new Set()).add(id)),
    ignore: (userId) => void ears.get(userId)?.delete(id),
    onMessage: (handler) => void handlers.set(id, [...(handlers.get(id) ?? []), handler]),
    onListening: (handler) => queueMicrotask(handler),
    onLost: () => undefined,
    onLate: () => undefined,
    isListening: () => true,
    relisten: () => void relistened.push(id),
  })
  function join(id: string, listener: Partial<NodeListener> = {}) {
    const nodes = joinNodes({ bus: busOf(id), close: async () => void handlers.delete(id) }, id, times)
    const nothing = () => undefined
    const deaf = { moved: nothing, relayed: nothing, pushed: nothing, told: nothing, late: nothing, missed: nothing }
    nodes.listen({ ...deaf, ...listener })
    onTestFinished(() => nodes.leave())
    return nodes
  }
  return { join, relistened, cut: (id: string) => handlers.delete(id) }
}

describe('Nodes', () => {
  it('Nodes know each other’s people, including earlier arrivals, until a node leaves', async () => {
    const { join } = createWire()
    const one = join('n1')
    one.came('ana')
    await sleep(80)
    const moves: [string[], string[]][] = []
    const two = join('n2', { moved: (came, went) => void moves.push([came, went]) })
    await expect.poll(() => two.isElsewhere('ana')).toBe(true)
    expect(one.isElsewhere('ana')).toBe(false)
    await one.leave()
    await expect.poll(() => two.isElsewhere('ana')).toBe(false)
    expect(moves).toEqual([
      [['ana'], []],
      [[], ['ana']],
    ])
  })

  it('A node receives packets only for people connected to it', async () => {
    const { join } = createWire()
    const pushed: string[] = []
    const [one, two, three] = [
      join('n1'),
      join('n2', { pushed: (userId, packet) => void pushed.push(`${userId} ${packet}`) }),
      join('n3'),
    ]
    await two.hear('ana')
    one.push(['ana', 'eve'], () => 'hello')
    await expect.poll(() => pushed).toEqual(['ana hello'])
    two.ignore('ana')
    one.push(['ana'], () => 'again')
    await sleep(20)
    expect(pushed).toEqual(['ana hello'])
    expect([one.heard(), two.heard(), three.heard()]).toEqual([0, 1, 0])
  })

  it('Nodes agree again soon after half of their messages were lost', { tags: 'long' }, async () => {
    let [lossy, seed] = [true, 7]
    const chance = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const { join } = createWire(() => lossy && chance() < 0.5)
    const [one, two] = [join('n1'), join('n2')]
    for (let n = 0; n < 20; n++) {
      one.came(`user ${n}`)
      if (n % 3 === 0) one.went(`user ${n}`)
      if (n % 5 === 0) await sleep(60)
    }
    lossy = false
    const agrees = () => Array.from({ length: 20 }, (_, n) => two.isElsewhere(`user ${n}`) === (n % 3 !== 0))
    await expect.poll(() => agrees().every(Boolean)).toBe(true)
  })

  it('Volatile events are sent only to nodes where their recipients are', async () => {
    const { join } = createWire()
    const heard: string[] = []
    const [one, two, three] = [join('n1'), join('n2', { relayed: (ids) => void heard.push(`n2 ${ids}`) }), join('n3')]
    two.came('ana')
    three.came('ben')
    await expect.poll(() => one.isElsewhere('ana') && one.isElsewhere('ben')).toBe(true)
    one.relay(['ana', 'eve'], 'typing', {})
    await expect.poll(() => heard).toEqual(['n2 ana'])
  })

  it('A node that does not even hear itself resubscribes, and silent nodes are forgotten', {
    tags: 'long',
  }, async () => {
    const wire = createWire()
    const [one, two] = [wire.join('n1'), wire.join('n2')]
    one.came('ana')
    await expect.poll(() => two.isElsewhere('ana')).toBe(true)
    wire.cut('n2')
    await expect.poll(() => wire.relistened.includes('n2')).toBe(true)
    await expect.poll(() => two.isElsewhere('ana')).toBe(false)
    expect(wire.relistened).not.toContain('n1')
  })
})
