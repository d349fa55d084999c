import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { serverFile } from '../../tools/server.ts'
import type { Fleet } from '../faults/fleet.ts'
import type { Entry } from '../faults/ledger.ts'
import { until } from '../faults/stage.ts'
import type { Site } from '../faults/world.ts'
import type { Cluster } from './cluster.ts'

/** What a restored database lost, and what came back that shouldn't have. */
export interface WentBack {
  /** The number of messages acknowledged before the moment that was restored. */
  kept: number
  lost: number
  /** The number of restored accounts that had been erased before or after that moment. */
  returned: number
  broken: string[]
}

interface Stage {
  cluster: Cluster
  site: Site
  fleet: Fleet
  write(ms: number): Promise<Entry[]>
}

/** Erases a person with the job that runs when an erasure request is due. */
async function erase({ query }: Site, userId: string): Promise<void> {
  await query(`update accounts set erase_at = now() - interval '1 hour' where id = $1`, [userId])
  await query(`select graphile_worker.add_job('erase-due')`)
  const isGone = async () => (await query('select from accounts where id = $1', [userId])).length === 0
  if (!(await until(isGone, 60_000))) throw new Error('an account that is due is not erased')
}

/** Runs the command with which an operator completes a restore. */
async function goOn({ site, cluster }: Stage, moment: Date): Promise<string> {
  const ledgers = await Promise.all(
    site.nodes.map(({ dataDir }) => readFile(join(dataDir, 'ledger/erased.jsonl'), 'utf8').catch(() => '')),
  )
  const ledger = join(cluster.folder, 'erased.jsonl')
  await writeFile(ledger, ledgers.join('\n'))
  const [node] = site.nodes
  const command = join(serverFile, '../cli/restore.js')
  const env = { ...node?.environment, PATH: process.env.PATH }
  const args = ['--enable-source-maps', command, '--point', moment.toISOString(), '--ledger', ledger]
  return (await promisify(execFile)(process.execPath, args, { env })).stdout
}

/**
 * Someone empties a table by mistake, and the database is restored to the moment before. One person was erased before
 * that moment and one after it, and neither may come back. Messages written after it are lost.
 */
export async function goBack(stage: Stage): Promise<WentBack> {
  const { cluster, site, fleet, write } = stage
  const { query } = site
  const [early, late] = site.people.slice(-2).map(({ id }) => id) as [string, string]
  await cluster.backUp()
  await erase(site, early)
  const before = await write(4_000)
  await sleep(1_000)
  const moment = new Date()
  await sleep(1_000)
  const since = await write(2_000)
  await erase(site, late)
  await query('truncate messages cascade')
  await cluster.fillArchive()

  await fleet.close()
  await Promise.all(site.nodes.map((node) => node.stop()))
  await cluster.goBackTo(moment)
  const cameBack = await query('select from accounts where id = $1', [late])
  const told = await goOn(stage, moment)
  await Promise.all(site.nodes.map((node) => node.start()))
  const ids = (await query<{ id: string }>('select client_id as id from messages')).map(({ id }) => id)
  const there = new Set(ids)
  const gone = before.filter(({ id }) => !there.has(id))
  const returned = await query<{ id: string }>('select id from accounts where id = any($1)', [[early, late]])
  return {
    kept: before.length,
    lost: gone.length,
    returned: returned.length,
    broken: [
      ...gone.map(({ id }) => `${id} had been acknowledged before the moment, and is not there`),
      ...returned.map(({ id }) => `${id} was erased, and is there again`),
      ...(since.some(({ id }) => there.has(id)) ? ['something written after the moment is there'] : []),
      ...(cameBack.length > 0 ? [] : ['no one had come back who was erased since: nothing was tried']),
      ...(told.includes(': 1 erased again') ? [] : [`the command says: ${told}`]),
    ],
  }
}
