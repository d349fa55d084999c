// @vitest-environment node
import { afterEach, expect, it } from 'vitest'
import { calls, device, rest, server, talk } from './device.test-fake.ts'

const { answer } = calls
afterEach(() => {
  calls.answer = answer
})

function heldAnswers() {
  const state = { muted: false, archived: false, isRequest: false }
  const held: { keep: () => void; refuse: () => void }[] = []
  calls.answer = (_, request) =>
    new Promise((resolve, reject) => {
      const keep = () =>
        resolve({ ...server.row('maya'), ...Object.assign(state, (request as { body?: object }).body) })
      held.push({ keep, refuse: () => reject(new Error('refused')) })
    })
  const settle = async (how: 'keep' | 'refuse') => {
    held.shift()?.[how]()
    await rest(0)
  }
  return { state, settle }
}

it('Only the refused one of two changes is rolled back', async () => {
  talk(1)
  const { chat, maya } = await device()
  const { state, settle } = heldAnswers()
  const muting = chat.changeConversation('maya', { muted: true }).catch(() => 'refused')
  const archiving = chat.changeConversation('maya', { archived: true })
  await rest(0)
  expect(maya()).toMatchObject({ muted: true, archived: true })
  await settle('refuse')
  expect(maya()).toMatchObject({ muted: false, archived: true })
  await settle('keep')
  await archiving
  expect(await muting).toBe('refused')
  expect(maya()).toMatchObject(state)
  expect(maya()).toMatchObject({ muted: false, archived: true })
})

it('A pending change to one conversation doesn’t hold up a change to another', async () => {
  talk(1)
  const { chat } = await device()
  const asked: unknown[] = []
  calls.answer = (_, request) => {
    asked.push((request as { params: { userId: string } }).params.userId)
    return new Promise(() => undefined)
  }
  for (const id of ['maya', 'kofi', 'maya']) void chat.changeConversation(id, { muted: true })
  await rest(0)
  expect(asked).toEqual(['maya', 'kofi'])
})

it('When a change and its reversal are both refused, the server’s value shows', async () => {
  talk(1)
  const { chat, maya } = await device()
  const { settle } = heldAnswers()
  const both = [true, false].map((muted) => chat.changeConversation('maya', { muted }).catch(() => 'refused'))
  await rest(0)
  expect(maya().muted).toBe(false)
  await settle('refuse')
  await settle('refuse')
  expect(await Promise.all(both)).toEqual(['refused', 'refused'])
  expect(maya().muted).toBe(false)
})

it('A refused change doesn’t overwrite what another device set in the meantime', async () => {
  talk(1)
  const { chat, maya } = await device()
  const { settle } = heldAnswers()
  const muting = chat.changeConversation('maya', { muted: true }).catch(() => 'refused')
  await rest(0)
  chat.handlers.conversations([{ ...server.row('maya'), muted: true, archived: true }])
  await settle('refuse')
  expect(await muting).toBe('refused')
  expect(maya()).toMatchObject({ muted: true, archived: true })
})

it('A saved change stays even if a message arrives before the answer', async () => {
  talk(1)
  const { chat, maya } = await device()
  const row = server.row('maya')
  calls.answer = () => Promise.resolve({ ...row, muted: true })
  const muting = chat.changeConversation('maya', { muted: true })
  talk(1)
  chat.handlers.conversations([server.row('maya')])
  await muting
  expect(maya()).toMatchObject({ muted: true, lastSeq: 2 })
})

it('A conversation that couldn’t be removed returns to the list with the messages it missed', async () => {
  talk(1)
  const { chat, maya } = await device()
  const { settle } = heldAnswers()
  const removing = chat.unlist('maya').catch(() => 'refused')
  await rest(0)
  expect(maya()).toBeUndefined()
  // The server still lists the conversation, so it sends only the message and the chat has to fetch the row.
  talk(1)
  await rest()
  calls.answer = answer
  await settle('refuse')
  await rest()
  expect(await removing).toBe('refused')
  expect(maya()).toMatchObject({ lastSeq: 2, unreadCount: 2, lastMessage: { seq: 2 } })
})
