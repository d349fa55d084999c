import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRoster, type RosterMessage } from './roster.ts'

const changed = (from: string, version: number, came: string[], went: string[] = []): RosterMessage => ({
  kind: 'changed',
  ...{ from, version, came, went },
})
const list = (from: string, version: number, users: string[]): RosterMessage => ({ kind: 'list', from, version, users })

describe('A roster', () => {
  it('A roster asks an unknown node for its list, then follows its changes', () => {
    const roster = createRoster(1_000)
    expect(roster.hear(changed('n1', 4, ['ana']))).toEqual({ came: [], went: [], ask: true })
    expect(roster.hear(list('n1', 4, ['ana', 'ben']))).toEqual({ came: ['ana', 'ben'], went: [], ask: false })
    expect(roster.hear(changed('n1', 5, ['eve'], ['ben']))).toEqual({ came: ['eve'], went: ['ben'], ask: false })
    expect(['ana', 'ben', 'eve'].map(roster.has)).toEqual([true, false, true])
  })

  it('A roster asks again after a missed change, and ignores one it already has', () => {
    const roster = createRoster(1_000)
    roster.hear(list('n1', 1, []))
    expect(roster.hear(changed('n1', 3, ['ana'])).ask).toBe(true)
    expect(roster.hear({ kind: 'alive', from: 'n1', version: 3 }).ask).toBe(true)
    roster.hear(list('n1', 3, ['ana']))
    expect(roster.hear(changed('n1', 2, [], ['ana']))).toEqual({ came: [], went: [], ask: false })
    expect(roster.has('ana')).toBe(true)
  })

  it('A person on two nodes stays in the roster until both report them gone', () => {
    const roster = createRoster(1_000)
    expect(roster.hear(list('n1', 0, ['ana'])).came).toEqual(['ana'])
    expect(roster.hear(list('n2', 0, ['ana'])).came).toEqual([])
    expect(roster.nodesOf(['ana', 'ben'])).toEqual(
      new Map([
        ['n1', ['ana']],
        ['n2', ['ana']],
      ]),
    )
    expect(roster.hear({ kind: 'gone', from: 'n1' }).went).toEqual([])
    expect(roster.hear(changed('n2', 1, [], ['ana'])).went).toEqual(['ana'])
  })

  it('A roster forgets only nodes that were silent for longer than their lease', () => {
    let now = 0
    const roster = createRoster(1_000, () => now)
    roster.hear(list('n1', 0, ['ana']))
    roster.hear(list('n2', 0, ['ben']))
    now = 900
    roster.hear({ kind: 'alive', from: 'n2', version: 0 })
    now = 1_100
    expect(roster.expire()).toEqual({ came: [], went: ['ana'] })
    expect([roster.has('ana'), roster.has('ben')]).toEqual([false, true])
  })

  it('A roster agrees with every node in the end despite lost messages', () => {
    const move = fc.record({
      node: fc.constantFrom('n1', 'n2', 'n3'),
      user: fc.constantFrom('ana', 'ben', 'eve', 'jun'),
      here: fc.boolean(),
      lost: fc.boolean(),
      listLost: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const roster = createRoster(1_000)
        const truth = new Map(['n1', 'n2', 'n3'].map((id) => [id, { version: 0, users: new Set<string>() }]))
        const seen = new Set<string>()
        const hear = (message: RosterMessage, listLost = false) => {
          const { came, went, ask } = roster.hear(message)
          for (const user of came) {
            expect(seen.has(user)).toBe(false)
            seen.add(user)
          }
          for (const user of went) expect(seen.delete(user)).toBe(true)
          const node = truth.get(message.from)
          if (ask && !listLost && node) hear(list(message.from, node.version, [...node.users]))
        }
        for (const { node: id, user, here, lost, listLost } of moves) {
          const node = truth.get(id)
          if (!node || node.users.has(user) === here) continue
          if (here) node.users.add(user)
          else node.users.delete(user)
          node.version += 1
          if (!lost) hear(changed(id, node.version, here ? [user] : [], here ? [] : [user]), listLost)
        }
        for (const [from, { version }] of truth) hear({ kind: 'alive', from, version })
        const everybody = new Set([...truth.values()].flatMap(({ users }) => [...users]))
        expect(seen).toEqual(everybody)
        for (const user of ['ana', 'ben', 'eve', 'jun']) expect(roster.has(user)).toBe(everybody.has(user))
      }),
    )
  })
})
