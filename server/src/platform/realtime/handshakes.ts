import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { addressOf, type TrustedProxies } from '../security/client-address.ts'
import { connectionRule, mayPass } from '../security/policy.ts'
import { networkOf } from '../security/rate-limit.ts'
import type { Sessions } from '../security/session.ts'
import {
  createBudget,
  createBudgets,
  handshakesOfNetwork,
  handshakesOfPerson,
  handshakesOfProcess,
} from '../security/socket-budget.ts'
import type { Nodes } from './nodes.ts'
import type { DuetSocket, SocketState } from './socket-requests.ts'

/** The maximum per person and process. */
const mostConnections = 20

export interface HandshakeOptions {
  sessions: Sessions
  nodes: Nodes
  clock: Clock
  log: Logger
  allowsOrigin(origin: string): boolean
  scale: number
  trusts: TrustedProxies
}

const isElsewhere = ({ headers }: IncomingMessage) => /^(cross|same)-site$/.test(String(headers['sec-fetch-site']))

interface Handshakes {
  allows(request: IncomingMessage): boolean
  admit(socket: DuetSocket, next: (error?: Error) => void): void
  refuseNew(): void
  refused(): number
}

type Refusal = Error | 'later' | null

interface Counting {
  isTooOften(userId: string): boolean
  /** Refunds the handshake to the network's budget, because the connection belongs to a member. */
  excuse(socket: DuetSocket): void
}

/**
 * Returns why a socket is rejected: an error that the device receives, or `later` if the device should reconnect
 * automatically.
 */
function createCheck({ sessions, nodes, clock }: HandshakeOptions, { isTooOften, excuse }: Counting) {
  const asked = new WeakSet<object>()
  const connections = new Map<string, number>()
  const countOf = (userId: string) => connections.get(userId) ?? 0
  function setCount(userId: string, count: number): void {
    if (count > 0) connections.set(userId, count)
    else connections.delete(userId)
  }
  return async (socket: DuetSocket): Promise<Refusal> => {
    // Our clients join the namespace once per connection. A second join would bypass every limit.
    if (asked.has(socket.conn)) return 'later'
    asked.add(socket.conn)
    const { token } = socket.handshake.auth as { token?: unknown }
    const find = async () => (typeof token === 'string' ? sessions.find(token) : undefined)
    const viewer = await find()
    if (!mayPass(connectionRule, viewer, clock.now())) return new Error(viewer ? 'suspended' : 'unauthenticated')
    if (isTooOften(viewer.id)) return 'later'
    if (countOf(viewer.id) >= mostConnections) return new Error('too_many_connections')
    Object.assign(socket.data, { viewer, pending: 0, leaving: false } satisfies SocketState)
    excuse(socket)
    if (socket.conn.readyState !== 'open') return 'later'
    setCount(viewer.id, countOf(viewer.id) + 1)
    socket.conn.once('close', () => {
      setCount(viewer.id, countOf(viewer.id) - 1)
      nodes.ignore(viewer.id)
    })
    // Subscribe first, so that the device misses nothing once it considers itself connected.
    await nodes.hear(viewer.id)
    // The session may have ended before this connection was registered for it, so check it again.
    return (await find()) ? null : new Error('unauthenticated')
  }
}

export function createHandshakes(options: HandshakeOptions): Handshakes {
  const { log, allowsOrigin, scale, trusts } = options
  const ofProcess = createBudget(handshakesOfProcess, scale)
  const ofNetwork = createBudgets(handshakesOfNetwork, scale)
  const ofPerson = createBudgets(handshakesOfPerson, scale)
  const networkOfRequest = (request: IncomingMessage) => networkOf(addressOf(request, trusts))
  let refusing = false
  let refused = 0
  const isTooMuch = (spent: number) => {
    if (spent > 0) refused += 1
    return spent > 0
  }
  const check = createCheck(options, {
    isTooOften: (userId) => isTooMuch(ofPerson.spend(userId)),
    excuse: ({ request }) => ofNetwork.giveBack(networkOfRequest(request)),
  })

  return {
    allows(request) {
      const { origin } = request.headers
      // Another site can start long polling with an <img>. Browsers then send Sec-Fetch-Site but no Origin.
      const allowed = origin === undefined ? !isElsewhere(request) : allowsOrigin(origin)
      if (!allowed) return false
      // The network's budget first: a single network must not use up the shared one.
      if (!refusing && ofNetwork.spend(networkOfRequest(request)) === 0 && ofProcess.spend() === 0) return true
      refused += 1
      return false
    },
    admit(socket, next) {
      check(socket)
        .catch((err: unknown): Refusal => {
          log.warn({ err }, 'a connection could not be checked')
          // Don't send a refusal: a device reconnects automatically after a dropped connection, but not after a
          // refusal.
          return 'later'
        })
        .then((refusal) => {
          if (refusal === 'later') socket.conn.close()
          // Called even if the connection is closed, because socket.io would otherwise keep the pending connection
          // forever.
          next(refusal instanceof Error ? refusal : undefined)
        })
        .catch((err: unknown) => log.error({ err }, 'a connection could not be admitted'))
    },
    refuseNew: () => {
      refusing = true
    },
    refused: () => refused,
  }
}
