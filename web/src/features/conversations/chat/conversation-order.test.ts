import fc from 'fast-check'
import { expect, it } from 'vitest'
import { at, conversation, message, mine, waiting } from '../talk.test-people.ts'
import { confirmMessage, dropMessage, markDelivery, mergeConversations, receiveMessage } from './conversation-list.ts'
import { conversationsNewestFirst, inServersOrder } from './conversation-order.ts'
import { type Conversation, threadOf } from './thread.ts'

const elsewhere = { viewerId: 'me', selectedId: null }
const ids = (list: readonly Conversation[]) => conversationsNewestFirst(list).map(({ id }) => id)
const row = (id: string, minute: number | null, seq = 1) =>
  conversation(id, minute === null ? {} : { lastMessage: message(seq, { senderId: id }), lastAt: at(minute) })
const rows = (...given: [id: string, minute: number | null][]) =>
  mergeConversations(
    [],
    given.map(([id, minute]) => row(id, minute)),
  )

it('The conversation with the newest last message comes first', () => {
  expect(ids(rows(['old', 1], ['new', 5]))).toEqual(['new', 'old'])
})

it('Conversations without a last message stay where they are', () => {
  expect(ids(rows(['b', null], ['a', null], ['c', null]))).toEqual(['b', 'a', 'c'])
  expect(ids(rows(['a', 10], ['match', null], ['b', 11]))).toEqual(['b', 'match', 'a'])
})

it('A conversation that gets a message moves to the top, past conversations without one', () => {
  const list = rows(['one', 40], ['match', null], ['two', 20], ['three', 10])
  const heard = receiveMessage(list, message(2, { senderId: 'three' }), elsewhere)
  expect(ids(heard)).toEqual(['three', 'match', 'one', 'two'])
})

it('Sorting orders the conversations with a last message and leaves the others in place', () => {
  const minutes = fc.array(fc.option(fc.integer({ min: 1, max: 50 })), { maxLength: 20 })
  fc.assert(
    fc.property(minutes, (given) => {
      const list = rows(...given.map((minute, index): [string, number | null] => [`p${index}`, minute]))
      const sorted = conversationsNewestFirst(list)
      const places = sorted.flatMap((one) => (one.lastMessage ? [threadOf(one).place] : []))
      expect(places).toEqual(places.toSorted((one, other) => other - one))
      const without = (all: readonly Conversation[]) => all.map((one) => (one.lastMessage ? '-' : one.id))
      expect(without(sorted)).toEqual(without(list))
      expect(sorted.map(({ id }) => id).sort()).toEqual(list.map(({ id }) => id).sort())
    }),
  )
})

it('A sender’s wrong clock doesn’t change the order of conversations', () => {
  const list = rows(['one', 40], ['two', 20], ['three', 10])
  const ahead = message(2, { senderId: 'two', timestamp: at(59) })
  const behind = message(2, { senderId: 'three', timestamp: at(0) })
  const heard = receiveMessage(receiveMessage(list, ahead, elsewhere), behind, elsewhere)
  expect(ids(heard)).toEqual(['three', 'two', 'one'])
})

it('Writing a message moves its conversation to the top, and a refusal leaves the order alone', () => {
  const own = waiting('own', { timestamp: at(0), after: 1 })
  const written = receiveMessage(rows(['one', 40], ['maya', 20]), own, elsewhere)
  expect(ids(written)).toEqual(['maya', 'one'])
  const heard = receiveMessage(written, message(2, { senderId: 'one' }), elsewhere)
  expect(ids(markDelivery(heard, own, 'failed'))).toEqual(['one', 'maya'])
  expect(ids(dropMessage(heard, own))).toEqual(['one', 'maya'])
  expect(ids(confirmMessage(heard, mine(2, { id: 'own' })))).toEqual(['maya', 'one'])
})

it('Rows in any order and any batches lead to the server’s order', () => {
  const people = ['ada', 'ben', 'cai', 'dee', 'eve']
  const heard = fc.array(fc.constantFrom(...people), { maxLength: 8 })
  const kept = fc.uniqueArray(fc.integer({ min: 10, max: 50 }), { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(
      kept,
      heard,
      fc.shuffledSubarray(people, { minLength: 5 }),
      fc.nat(5),
      (minutes, pushes, order, cut) => {
        const before = rows(...people.map((id, index): [string, number] => [id, index + 1]))
        const seqs = new Map(people.map((id) => [id, 1]))
        const listed = pushes.reduce((list, id) => {
          const seq = seqs.get(id)! + 1
          seqs.set(id, seq)
          return receiveMessage(list, message(seq, { senderId: id }), elsewhere)
        }, before)
        const keptAt = (id: string) => (seqs.get(id) === 1 ? people.indexOf(id) + 1 : minutes[people.indexOf(id)]!)
        const answer = order.map((id) => row(id, keptAt(id), seqs.get(id)))
        const portions = [answer.slice(0, cut), answer.slice(cut)]
        const told = inServersOrder(portions.reduce(mergeConversations, listed))
        const byServer = people.toSorted((one, other) => keptAt(other) - keptAt(one))
        expect(ids(told)).toEqual(byServer)
        // Conversations that received a message after the list was requested come first.
        const [overtaken] = order as [string]
        const late = receiveMessage(listed, message(seqs.get(overtaken)! + 1, { senderId: overtaken }), elsewhere)
        const joined = inServersOrder(portions.reduce(mergeConversations, late))
        expect(ids(joined)).toEqual([overtaken, ...byServer.filter((id) => id !== overtaken)])
      },
    ),
  )
})

it('The row of a single conversation doesn’t move it ahead of newer ones', () => {
  const list = rows(['one', 10], ['two', 5])
  const heard = ['one', 'two'].reduce(
    (known, senderId) => receiveMessage(known, message(2, { senderId }), elsewhere),
    list,
  )
  expect(ids(mergeConversations(heard, [row('one', 30, 2)]))).toEqual(['two', 'one'])
})
