import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addVoice } from '../../test/attachments.ts'
import { type Person, people } from '../../test/people.ts'
import { connect } from '../../test/sockets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const pair = async () => (await people(app, 2)) as [Person, Person]

describe('a message that carries something', () => {
  const sending = (from: Person, to: Person, attachmentId: string, id: string = randomUUID()) => ({
    ...{ id, senderId: from.id, receiverId: to.id, message: '', attachmentId },
  })

  test('can be sent again, and is the same message', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const note = await addVoice(ana, ben)
    const socket = await connect(app, ana)
    const message = sending(ana, ben, note.id)
    const acks = [await socket.ask('send_message', message), await socket.ask('send_message', message)]
    for (const ack of acks) expect(ack).toMatchObject({ ok: true, message: { seq: 1, attachment: { id: note.id } } })
  })

  test('takes what it carries for itself, no matter which of many is first', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const note = await addVoice(ana, ben)
    const socket = await connect(app, ana)
    const acks = await Promise.all(
      Array.from({ length: 5 }, () => socket.ask('send_message', sending(ana, ben, note.id))),
    )
    expect(acks.filter(({ ok }) => ok)).toHaveLength(1)
    for (const ack of acks.filter(({ ok }) => !ok)) expect(ack).toMatchObject({ code: 'not_found' })
  })

  test("carries nothing of someone else's, of another conversation, or that is not there", async () => {
    const [ana, ben] = await pair()
    const [cleo] = await pair()
    const [theirs, elsewhere] = [await addVoice(ben, ana), await addVoice(ana, cleo)]
    const socket = await connect(app, ana)
    for (const id of [theirs.id, elsewhere.id, randomUUID()]) {
      expect(await socket.ask('send_message', sending(ana, ben, id))).toEqual({ ok: false, code: 'not_found' })
    }
  })

  test('is announced as deleted before its files are removed, however long that takes', async () => {
    const [ana, ben] = await pair()
    const note = await addVoice(ana, ben)
    const [socket, other] = [await connect(app, ana), await connect(app, ben)]
    await socket.ask('send_message', sending(ana, ben, note.id))
    let goOn: () => void = () => undefined
    const remove = vi.spyOn(app.platform.storage, 'remove').mockReturnValue(new Promise((resolve) => (goOn = resolve)))
    const taken = ana.send('DELETE', `/api/conversations/${ben.id}/messages/1`)
    expect(await other.next('message_changed')).toMatchObject({ seq: 1, deletedAt: expect.any(String) })
    remove.mockRestore()
    goOn()
    expect((await taken).status).toBe(200)
  })
})
