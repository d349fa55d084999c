import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from './cluster.ts'

// Runs a database cluster to experiment with, for `npm run cluster -- --ha`. Prints its address, and each machine's
// role whenever a role changes. A machine that ended restarts after half a minute.
const comesBackMs = 30_000

const cluster = await startCluster()
let isOver = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isOver = true
    void cluster.stop().then(() => process.exit(0))
  })
const { user, password, database } = cluster.address.owner
const { port } = cluster.address.way as { port: number }
console.info(`postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${port}/${database}`)
console.info(`To let a machine fail: pkill -9 -f ${cluster.folder}/one/`)

let told = ''
const endedAt = new Map<string, number>()
while (!isOver) {
  const states = await cluster.states()
  const words = states.map(
    ({ name, role, state }) => `${name}: ${state === 'running' ? role.replace('_', ' ') : state}`,
  )
  const now = words.join(', ')
  if (now && now !== told) console.info(now)
  told = now
  for (const machine of cluster.machines) {
    if (machine.isUp()) endedAt.delete(machine.name)
    else if (!endedAt.has(machine.name)) endedAt.set(machine.name, performance.now())
    else if (performance.now() - (endedAt.get(machine.name) ?? 0) > comesBackMs) machine.start()
  }
  await sleep(1_000)
}
