import { setTimeout as sleep } from 'node:timers/promises'
import type { Device, Person } from '../device.ts'
import type { Member } from '../fleet.ts'
import { verdictOn } from '../invariants.ts'
import type { Node } from '../nodes.ts'
import { type Program, type Stage, standstillMs, unless, until } from '../stage.ts'

const offMs = 600_000
const roundsOf = (isLong: boolean) => (isLong ? 12 : 2)
const inRound = 40
const everyMs = 12
/** How far a stored time may differ from the database's clock, to allow for a slow response. */
const slackMs = 30_000

/** Reconnects a device to a node. Returns whether it connected. */
async function bring({ device, line, lead }: Member, node: Node): Promise<boolean> {
  await until(() => device.isConnected(), standstillMs)
  const drops = device.drops()
  lead(node)
  line.cut()
  return until(() => device.isConnected() && device.drops() > drops, standstillMs)
}

function isInDisorder(device: Device, peerId: string): boolean {
  const seqs = device.thread(peerId)?.flatMap(({ seq }) => seq ?? []) ?? []
  return seqs.some((seq, place) => place > 0 && seq <= (seqs[place - 1] ?? 0))
}

interface Page {
  messages: { id: string; seq: number; timestamp: string }[]
  hasMore: boolean
}

/** Loads a whole conversation from one node, page by page, and returns it oldest first. */
async function pagesOf({ port }: Node, viewer: Person, peerId: string): Promise<Page['messages']> {
  const all: Page['messages'] = []
  for (let before = ''; ; before = `&before=${all[0]?.seq}`) {
    const address = `http://127.0.0.1:${port}/api/conversations/${peerId}/messages?limit=20${before}`
    const answer = await fetch(address, { headers: { authorization: `Bearer ${viewer.tokens[0]}` } })
    if (!answer.ok) throw new Error(`a page: ${answer.status}`)
    const { messages, hasMore } = (await answer.json()) as Page
    all.unshift(...messages)
    if (!hasMore) return all
  }
}

/** Lets all devices write and read, and moves each of them to the other node after every round. */
async function talkAcross(members: Member[], nodes: readonly [Node, Node], rounds: number): Promise<string[]> {
  const broken = new Set<string>()
  const peersOf = ({ person }: Device) => members.map(({ device }) => device.person.id).filter((id) => id !== person.id)
  for (let round = 0; round < rounds; round++) {
    const there = await Promise.all(members.map((one, place) => bring(one, nodes[(place + round) % 2] as Node)))
    if (there.includes(false)) broken.add('not everybody was let in by the other node')
    for (let n = 0; n < inRound; n++) {
      const { device } = members[n % members.length] as Member
      const peers = peersOf(device)
      const peerId = peers[n % peers.length] as string
      device.write(peerId, `${round}.${n} by ${device.name}`)
      if (n % 7 === 0) device.read(peerId)
      await sleep(everyMs)
      for (const other of members.map((one) => one.device))
        for (const id of peersOf(other))
          if (isInDisorder(other, id)) broken.add(`${other.name} shows a conversation in disorder`)
    }
    await until(() => members.every(({ device }) => device.waiting() === 0), standstillMs)
  }
  return [...broken]
}

const keptTimes = `
  select count(*) filter (where at <= before)::int as backwards,
    count(*) filter (where at not between $2 and clock_timestamp() + $3 * interval '1 ms')::int as wrong
  from (
    select m.created_at as at, lag(m.created_at) over (partition by m.conversation_id order by m.seq) as before
    from messages m join conversations c on c.id = m.conversation_id
    where c.user_lo = any($1) and c.user_hi = any($1)) kept`

/** Checks that stored times ascend and come from the database's clock, no matter which node stored the message. */
async function checkKeptTimes({ world }: Stage, people: readonly Person[], since: number): Promise<string[]> {
  const values = [people.map(({ id }) => id), new Date(since - slackMs), slackMs]
  const [row] = await world.query<{ backwards: number; wrong: number }>(keptTimes, values)
  return [
    ...unless(row?.backwards === 0, `${row?.backwards} messages were kept as earlier than the one before`),
    ...unless(row?.wrong === 0, `${row?.wrong} messages were kept with the time of a node`),
  ]
}

async function checkSessions(people: readonly Person[], nodes: readonly [Node, Node]): Promise<string[]> {
  const tries = people.flatMap(({ name, tokens }) =>
    tokens.flatMap((token) => nodes.map((node) => ({ name, token, node }))),
  )
  const refused = await Promise.all(
    tries.map(async ({ name, token, node: { port } }) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`http://127.0.0.1:${port}/api/user/myDetails`, { headers })
      return answer.ok ? [] : [`a session of ${name} is answered ${answer.status}`]
    }),
  )
  return refused.flat()
}

/** Returns the first message that differs between two nodes. Ignores the read status unless `withTicks`. */
function differenceOf(one: Page['messages'], two: Page['messages'], withTicks: boolean): string | undefined {
  const lines = (messages: Page['messages']) =>
    messages.map((message) => JSON.stringify(withTicks ? message : { ...message, status: undefined }))
  const [here, there] = [lines(one), lines(two)]
  const at = Array.from({ length: Math.max(here.length, there.length) }, (_, n) => n).find((n) => here[n] !== there[n])
  return at === undefined ? undefined : `${here[at]} or ${there[at]}`
}

/** Checks that both nodes return the same conversation, without gaps and with the times at which it was written. */
async function checkPages(viewer: Person, peerId: string, nodes: readonly [Node, Node], since: number) {
  const tellBoth = () => Promise.all([pagesOf(nodes[0], viewer, peerId), pagesOf(nodes[1], viewer, peerId)])
  const [one, two] = await tellBoth()
  const difference = differenceOf(one, two, false)
  // The read status may change between the two requests, so retry until both nodes return the same.
  const agree = await until(async () => differenceOf(...(await tellBoth()), true) === undefined, standstillMs)
  const times = one.map(({ timestamp }) => Date.parse(timestamp))
  const wrong = times.filter((time) => time < since - slackMs || time > Date.now() + slackMs)
  return [
    ...unless(difference === undefined, `the nodes tell pages that differ: ${difference}`),
    ...unless(agree, 'the nodes tell ticks that differ'),
    ...unless(
      one.length > 0 && one.every(({ seq }, place) => seq === place + 1),
      'the pages have holes or repeat messages',
    ),
    ...unless(wrong.length === 0, `${wrong.length} messages show a time at which no one wrote`),
  ]
}

async function play(stage: Stage, nodes: readonly [Node, Node]): Promise<string[]> {
  const { world, fleet, ledger } = stage
  const since = Date.now()
  const people = stage.strangers(3) as [Person, Person, Person]
  const [ana, ben, eve] = people
  const members = [
    await fleet.add(ana, { apart: true }),
    await fleet.add(ben, { apart: true }),
    await fleet.add(ana, { apart: true, token: 1 }),
    await fleet.add(eve, { apart: true, kind: 'plain' }),
  ]
  const devices = members.map(({ device }) => device)
  for (const device of devices) for (const { id } of people) if (id !== device.person.id) await device.open(id)
  const broken = await talkAcross(members, nodes, roundsOf(stage.isLong))
  const verdict = await verdictOn(world, devices, ledger, standstillMs)
  const pages = [...(await checkPages(ana, ben.id, nodes, since)), ...(await checkPages(ana, eve.id, nodes, since))]
  const kept = await checkKeptTimes(stage, people, since)
  for (const member of members) await fleet.remove(member)
  return [...broken, ...verdict.broken, ...pages, ...(await checkSessions(people, nodes)), ...kept]
}

export const nodesApart: Program = {
  id: 'T9',
  title: `the clock of one node is ${offMs / 60_000} minutes fast, that of another as much slow; people change between them`,
  async run(stage) {
    const fast = await stage.world.addNode('fast', { CLOCK_OFF_MS: String(offMs) })
    const slow = await stage.world.addNode('slow', { CLOCK_OFF_MS: String(-offMs) })
    try {
      await Promise.all([fast.start(), slow.start()])
      return await play(stage, [fast, slow])
    } finally {
      await Promise.all([fast.kill(), slow.kill()])
    }
  },
}
