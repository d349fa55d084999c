import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export function countRequests(http: FastifyInstance): (patience: number) => Promise<void> {
  let inFlight = 0
  http.addHook('onRequest', async () => {
    inFlight += 1
  })
  http.addHook('onResponse', async () => {
    inFlight -= 1
  })
  return async (patience) => {
    const deadline = performance.now() + patience
    while (inFlight > 0 && performance.now() < deadline) await sleep(10)
  }
}
