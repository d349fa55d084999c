import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from './machine.ts'

const backrest = (machine: Machine, ...args: string[]) =>
  machine.run('pgbackrest', ['--stanza=duet', '--log-level-console=warn', ...args])

/** Call it once, on the primary. */
export async function beginArchive(primary: Machine): Promise<void> {
  await backrest(primary, 'stanza-create')
}

export async function copyWhole(primary: Machine): Promise<void> {
  await backrest(primary, 'backup', '--type=full')
}

export async function fillArchive(primary: Machine): Promise<void> {
  await backrest(primary, 'check')
}

/** Formats a time as PostgreSQL does, in UTC. */
const written = (moment: Date) => moment.toISOString().replace('T', ' ').replace('Z', '+00')

const control = (machine: Machine, ...args: string[]) =>
  machine.run('pg_ctl', ['-D', machine.files.data, '-s', ...args])

/**
 * Removes the cluster's state, so that the machine that starts first becomes the primary. Patroni must not be running
 * on any machine.
 */
async function forget(machine: Machine, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      // Answers its two questions: the cluster's name and a confirmation. It asks a third one as long as it believes
      // that a primary is alive.
      await machine.run('patronictl', ['-c', machine.files.patroni, 'remove', 'duet'], 'duet\nYes I am aware\n')
      return
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(1_000)
    }
  }
}

/**
 * Restores the first machine's database to a point in time, from the repository, and empties the other machines, which
 * copy it when they start. Patroni must not be running on any of them.
 */
export async function restoreTo(moment: Date, machines: readonly Machine[], patienceMs: number): Promise<void> {
  const [first] = machines as [Machine, ...Machine[]]
  await forget(first, patienceMs)
  for (const { files } of machines) await rm(files.data, { recursive: true, force: true })
  await first.run('mkdir', ['-m', '700', first.files.data])
  await backrest(first, 'restore', '--type=time', `--target=${written(moment)}`, '--target-action=promote')
  // PostgreSQL accepts no network connections until it has replayed the archive and promoted itself.
  const log = join(dirname(first.files.data), 'restored.log')
  await control(first, '-w', '-t', '120', '-l', log, '-o', "-c listen_addresses=''", 'start').catch(
    async (error: Error) => {
      throw new Error(`${error.message}\n${await readFile(log, 'utf8').catch(() => '')}`)
    },
  )
  const isBehind = async () => /in archive recovery/.test(await first.run('pg_controldata', [first.files.data]))
  for (const until = performance.now() + patienceMs; await isBehind(); await sleep(500))
    if (performance.now() > until) throw new Error('the restored database did not reach its point in time')
  await control(first, '-w', '-m', 'fast', 'stop')
}
