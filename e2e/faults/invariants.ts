import { setTimeout as sleep } from 'node:timers/promises'
import type { Device } from './device.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { Site } from './world.ts'

interface Row {
  client_id: string
  seq: number
  sender_id: string
  peer_id: string
  body: string
}

/** What was violated, and how many acknowledged messages were lost or duplicated. */
export interface Verdict {
  broken: string[]
  lost: number
  duplicated: number
}

const pageSize = 50

const messagesOf = `
  select m.client_id, m.seq::int, m.sender_id, m.body,
    case when m.sender_id = c.user_lo then c.user_hi else c.user_lo end as peer_id
  from messages m join conversations c on c.id = m.conversation_id
  where c.user_lo = any($1) and c.user_hi = any($1) order by m.conversation_id, m.seq`

const countersOf = `
  select c.id, side.reader, side.unread, (select count(*)::int from messages m
    where m.conversation_id = c.id and m.seq > side.mark and m.sender_id <> side.reader
    and m.deleted_at is null) as counted
  from conversations c, lateral (values (c.user_lo, c.unread_lo, c.read_lo), (c.user_hi, c.unread_hi, c.read_hi))
    as side (reader, unread, mark)
  where c.user_lo = any($1) and c.user_hi = any($1)`

const pairOf = (a: string, b: string) => [a, b].sort().join(' ')

function threadsOf(rows: readonly Row[]): Map<string, Row[]> {
  const threads = new Map<string, Row[]>()
  for (const row of rows) {
    const pair = pairOf(row.sender_id, row.peer_id)
    threads.set(pair, [...(threads.get(pair) ?? []), row])
  }
  return threads
}

/** Checks I1, I2, I4 and I6 in the database. */
function checkRows(entries: readonly Entry[], threads: Map<string, Row[]>): Verdict {
  const found = new Map<string, number>()
  for (const row of [...threads.values()].flat()) found.set(row.client_id, (found.get(row.client_id) ?? 0) + 1)
  const gone = entries.filter(({ id, acknowledged }) => acknowledged && !found.has(id))
  const never = entries.filter(({ id, acknowledged }) => !acknowledged && !found.has(id))
  const twice = entries.filter(({ id }) => (found.get(id) ?? 0) > 1)
  const gaps = [...threads].filter(([, rows]) => rows.some(({ seq }, place) => seq !== place + 1))
  const broken = [
    ...gone.map(({ id, text }) => `I1: ${id} ("${text}") was acknowledged and is not in the database`),
    ...twice.map(({ id }) => `I2: ${id} is in the database ${found.get(id)} times`),
    ...gaps.map(([pair, rows]) => `I4: ${pair} has the seqs ${rows.map(({ seq }) => seq).join(' ')}`),
    ...never.map(({ id, text }) => `I6: ${id} ("${text}") was neither delivered nor refused`),
  ]
  return { broken, lost: gone.length, duplicated: twice.length }
}

/** Checks I3 and I4 on one device. Empty if the device shows the same messages as the database. */
function differences(device: Device, threads: Map<string, Row[]>): string[] {
  return [...threads].flatMap(([pair, rows]) => {
    if (!pair.split(' ').includes(device.person.id)) return []
    const peerId = pair.split(' ').find((id) => id !== device.person.id) ?? ''
    const shown = device.thread(peerId)
    const all = rows.map(({ client_id }) => client_id)
    const have = shown?.map(({ id }) => id) ?? []
    // A device may show only the newest pages, but without gaps.
    const want = all.slice(-Math.max(have.length, pageSize))
    if (want.length === have.length && want.every((id, place) => id === have[place])) return []
    const missing = want.filter((id) => !have.includes(id)).length
    const extra = have.length - new Set(have).size
    return [
      `I3: ${device.name}${device.isConnected() ? '' : ' (not connected)'} shows ${have.length} of ${want.length} messages${shown ? '' : ' (not opened)'}, ${missing} missing, ${extra} twice`,
    ]
  })
}

interface Counter {
  reader: string
  id: string
  unread: number
  counted: number
}

async function checkCounters({ query }: Pick<Site, 'query'>, ids: string[]): Promise<string[]> {
  const counters = await query<Counter>(countersOf, [ids])
  return counters
    .filter(({ unread, counted }) => unread !== counted)
    .map(({ reader, unread, counted }) => `I5: ${reader} has ${unread} unread in a conversation, counted ${counted}`)
}

async function unreadDifferences({ query }: Pick<Site, 'query'>, devices: readonly Device[], ids: string[]) {
  const rows = await query<Counter & { peer: string }>(
    `select k.*, case when c.user_lo = k.reader then c.user_hi else c.user_lo end as peer
     from (${countersOf}) k join conversations c on c.id = k.id`,
    [ids],
  )
  return devices.flatMap((device) =>
    rows
      .filter(({ reader }) => reader === device.person.id)
      .filter(({ peer, counted }) => (device.unread(peer) ?? counted) !== counted)
      .map(
        ({ peer, counted }) =>
          `I5: ${device.name} shows ${device.unread(peer)} unread from ${peer}, counted ${counted}`,
      ),
  )
}

/**
 * Waits up to `patienceMs` until the devices have sent everything and show the same messages as the database. Then
 * returns the violated invariants: I1 acknowledged messages are stored, I2 each exactly once, I3 every device shows
 * them, I4 without gaps and in the same order, I5 unread counts are right, I6 unacknowledged messages were delivered
 * too.
 */
export async function verdictOn(
  site: Pick<Site, 'query'>,
  devices: readonly Device[],
  ledger: Ledger,
  patienceMs: number,
): Promise<Verdict & { tookMs: number }> {
  const since = performance.now()
  const ids = [...new Set(devices.map(({ person }) => person.id))]
  let late: string[] = []
  let threads = new Map<string, Row[]>()
  for (;;) {
    threads = threadsOf(await site.query<Row>(messagesOf, [ids]))
    const waiting = devices.filter((device) => device.waiting() > 0)
    late = [
      ...waiting.map((device) => `I6: ${device.name} still waits for ${device.waiting()} acknowledgements`),
      ...devices.flatMap((device) => differences(device, threads)),
      ...(await unreadDifferences(site, devices, ids)),
    ]
    if (late.length === 0 || performance.now() - since > patienceMs) break
    await sleep(100)
  }
  const rows = checkRows(
    ledger.entries().filter(({ from, to }) => ids.includes(from) && ids.includes(to)),
    threads,
  )
  const broken = [...rows.broken, ...late, ...(await checkCounters(site, ids))]
  const shownTwice = devices.flatMap((device) =>
    ids.flatMap((peer) => {
      const shown = device.thread(peer)?.map(({ id }) => id) ?? []
      return shown.filter((id, place) => shown.indexOf(id) !== place)
    }),
  ).length
  return { broken, lost: rows.lost, duplicated: rows.duplicated + shownTwice, tookMs: performance.now() - since }
}
