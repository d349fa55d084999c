import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock.ts'
import { addressOf, type TrustedProxies } from '../http/client-address.ts'
import type { Logger } from '../logger.ts'
import { connectionRule, mayPass } from '../security/policy.ts'
import { networkOf } from '../security/rate-limit.ts'
import type { Sessions, Viewer } from '../security/session.ts'
import type { Nodes } from './nodes.ts'
import {
  createBudget,
  createBudgets,
  handshakesOfNetwork,
  handshakesOfPerson,
  handshakesOfProcess,
} from './socket-budget.ts'
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

/** Who may connect. */
interface Handshakes {
  /** Whether a request may become a connection, before it is known whose. */
  allows(request: IncomingMessage): boolean
  /** Lets a socket in as the person its token belongs to. `connectionsOf` counts a person's connections here. */
  admit(socket: DuetSocket, next: (error?: Error) => void, connectionsOf: (userId: string) => number): Promise<void>
  /** Allows none from now on. */
  refuseNew(): void
  /** How many were refused because there were too many. */
  refused(): number
}

export function createHandshakes(options: HandshakeOptions): Handshakes {
  const { sessions, nodes, clock, log, allowsOrigin, scale, trusts } = options
  const ofProcess = createBudget(handshakesOfProcess, scale)
  const ofNetwork = createBudgets(handshakesOfNetwork, scale)
  const ofPerson = createBudgets(handshakesOfPerson, scale)
  const networkOfRequest = (request: IncomingMessage) => networkOf(addressOf(request, trusts))
  let refusing = false
  let refused = 0

  return {
    allows(request) {
      const { origin } = request.headers
      const allowed = origin === undefined || allowsOrigin(origin)
      if (!allowed) return false
      // First the network's: one that asks without end may not use up what is everyone's.
      if (!refusing && ofNetwork.spend(networkOfRequest(request)) === 0 && ofProcess.spend() === 0) return true
      refused += 1
      return false
    },
    async admit(socket, next, connectionsOf) {
      const { token } = socket.handshake.auth as { token?: unknown }
      let viewer: Viewer | undefined
      try {
        viewer = typeof token === 'string' ? await sessions.find(token) : undefined
      } catch (err) {
        log.warn({ err }, 'a connection could not be checked')
        // Not a no: a device whose line is cut comes back by itself, one that was refused does not.
        return void socket.conn.close()
      }
      if (!mayPass(connectionRule, viewer, clock.now()))
        return next(new Error(viewer ? 'suspended' : 'unauthenticated'))
      // It comes back by itself, later.
      if (ofPerson.spend(viewer.id) > 0) {
        refused += 1
        return void socket.conn.close()
      }
      if (connectionsOf(viewer.id) >= mostConnections) return next(new Error('too_many_connections'))
      Object.assign(socket.data, { viewer, pending: 0, leaving: false } satisfies SocketState)
      ofNetwork.giveBack(networkOfRequest(socket.request))
      // Nothing of what other nodes push is missed once the device knows that it is connected.
      if (socket.conn.readyState !== 'open') return
      socket.conn.once('close', () => nodes.ignore(viewer.id))
      await nodes.hear(viewer.id)
      next()
    },
    refuseNew: () => {
      refusing = true
    },
    refused: () => refused,
  }
}
