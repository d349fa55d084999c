import { randomUUID } from 'node:crypto'
import { openBare, outgoing } from '../socket.ts'
import { type Program, unless } from '../stage.ts'

const repeats = 50

export const duplicates: Program = {
  id: 'T6',
  title: `one message is sent ${repeats} times at once, by two connections to two nodes`,
  async run({ world, strangers }) {
    const [ana, ben] = strangers(2)
    if (!ana || !ben) return ['there is no one to write']
    const [one, two] = await Promise.all(world.nodes.map(({ port }) => openBare(port, ana)))
    const id = randomUUID()
    const acks = await Promise.all(
      Array.from({ length: repeats }, (_, n) => (n % 2 ? one : two)?.ask('send_message', outgoing(ana, ben, id))),
    )
    one?.close()
    two?.close()
    const rows = await world.query('select seq from messages where client_id = $1', [id])
    const seqs = new Set(acks.map((ack) => ack?.message?.seq))
    const refused = acks.filter((ack) => !ack?.ok)
    return [
      ...unless(rows.length === 1, `one message became ${rows.length} rows`),
      ...unless(refused.length === 0, `${refused.length} repeats were refused: ${refused[0]?.code}`),
      ...unless(seqs.size === 1, `the repeats got the seqs ${[...seqs].join(' ')}`),
    ]
  },
}

const day = 86_400_000

export const skewedClocks: Program = {
  id: 'T9',
  title: 'clocks of devices are days off',
  async run({ world, strangers }) {
    const [ana, ben] = strangers(2)
    if (!ana || !ben) return ['there is no one to write']
    const bare = await openBare(world.nodes[0]?.port ?? 0, ana)
    const acks = []
    for (const off of [2 * day, -2 * day, 0, day / 24, -day / 24]) {
      const timestamp = new Date(Date.now() + off).toISOString()
      acks.push(await bare.ask('send_message', outgoing(ana, ben, randomUUID(), { timestamp })))
    }
    bare.close()
    const wrong = acks.filter(({ message }) => Math.abs(Date.parse(message?.timestamp ?? '') - Date.now()) > 300_000)
    return [
      ...unless(
        acks.every(({ message }, place) => message?.seq === place + 1),
        `the order is ${acks.map(({ message }) => message?.seq).join(' ')}`,
      ),
      ...unless(wrong.length === 0, `${wrong.length} messages kept a time that is more than 5 minutes off`),
    ]
  },
}

const openings = 40

export const bothOpen: Program = {
  id: 'T17',
  title: `both people open their conversation at once, ${openings} times, on two nodes`,
  async run({ world, strangers }) {
    const people = strangers(2 * openings)
    const [one, two] = world.nodes
    const pairs = Array.from({ length: openings }, (_, n) => people.slice(2 * n, 2 * n + 2))
    const wrong = await Promise.all(
      pairs.map(async ([ana, ben]) => {
        if (!ana || !ben || !one || !two) return 'there is no one to talk'
        const [mine, theirs] = await Promise.all([openBare(one.port, ana), openBare(two.port, ben)])
        const answers = (await Promise.all([
          mine.ask('get_or_create_conversation', { withUser: ben.id }),
          theirs.ask('get_or_create_conversation', { withUser: ana.id }),
        ])) as unknown as { id?: string }[]
        mine.close()
        theirs.close()
        return answers[0]?.id === ben.id && answers[1]?.id === ana.id ? '' : `answered ${JSON.stringify(answers)}`
      }),
    )
    const ids = people.map(({ id }) => id)
    const rows = await world.query('select id from conversations where user_lo = any($1) and user_hi = any($1)', [ids])
    return [
      ...new Set(wrong.filter(Boolean)),
      ...unless(rows.length === openings, `${openings} pairs have ${rows.length} conversations`),
    ]
  },
}
