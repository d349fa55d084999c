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

/** One person's connections to one process. */
const mostConnections = 20

export interface HandshakeOptions {
  sessions: Sessions
  nodes: Nodes
  clock: Clock
  log: Logger
  /** Whether a page of this origin may connect; requests without an Origin are not a browser's. */
  allowsOrigin(origin: string): boolean
  /** Multiplies how often a connection may send and how many may connect. */
  scale: number
  /** Whose word counts for the address of a connection. */
  trusts: TrustedProxies
}

const isElsewhere = ({ headers }: IncomingMessage) => /^(cross|same)-site$/.test(String(headers['sec-fetch-site']))

/** Who may connect. */
interface Handshakes {
  /** Whether a request may become a connection, before it is known whose. */
  allows(request: IncomingMessage): boolean
  /** Lets a socket in as the person its token belongs to. */
  admit(socket: DuetSocket, next: (error?: Error) => void): void
  /** Allows none from now on. */
  refuseNew(): void
  /** How many were refused because there were too many. */
  refused(): number
}

type Refusal = Error | 'later' | null

interface Counting {
  /** Whether this person connects too often. */
  isTooOften(userId: string): boolean
  /** The connection is a member's: their network need not answer for it. */
  excuse(socket: DuetSocket): void
}

/** Why a socket is not let in: an error that its device is told, or `later`, for a device that is to come back by itself. */
function createCheck({ sessions, nodes, clock }: HandshakeOptions, { isTooOften, excuse }: Counting) {
  const asked = new WeakSet<object>()
  const connections = new Map<string, number>()
  const countOf = (userId: string) => connections.get(userId) ?? 0
  function setCount(userId: string, count: number): void {
    if (count > 0) connections.set(userId, count)
    else connections.delete(userId)
  }
  return async (socket: DuetSocket): Promise<Refusal> => {
    // A connection is that of one device: no client of ours asks twice on one, and a second time would pass by no limit.
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
    // Nothing of what other nodes push is missed once the device knows that it is connected.
    await nodes.hear(viewer.id)
    // The session may have ended meanwhile, and this connection was not yet among those that are closed with it.
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
      // Another site can start long polling with an <img>. Browsers then send Sec-Fetch-Site, but no Origin.
      const allowed = origin === undefined ? !isElsewhere(request) : allowsOrigin(origin)
      if (!allowed) return false
      // First the network's: one that asks without end may not use up what is everyone's.
      if (!refusing && ofNetwork.spend(networkOfRequest(request)) === 0 && ofProcess.spend() === 0) return true
      refused += 1
      return false
    },
    admit(socket, next) {
      check(socket)
        .catch((err: unknown): Refusal => {
          log.warn({ err }, 'a connection could not be checked')
          // Not a no: a device whose line is cut comes back by itself, one that was refused does not.
          return 'later'
        })
        .then((refusal) => {
          if (refusal === 'later') socket.conn.close()
          // Also where it is closed: socket.io would keep for ever what it has of a connection that no one decided about.
          next(refusal instanceof Error ? refusal : undefined)
        })
        .catch((err: unknown) => log.error({ err }, 'a connection could not be taken in'))
    },
    refuseNew: () => {
      refusing = true
    },
    refused: () => refused,
  }
}
