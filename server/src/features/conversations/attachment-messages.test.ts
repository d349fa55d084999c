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

describe('messages with an attachment', () => {
  const sending = (from: Person, to: Person, attachmentId: string, id: string = randomUUID()) => ({
    ...{ id, senderId: from.id, receiverId: to.id, message: '', attachmentId },
  })

  test('a message with an attachment can be sent again without a duplicate', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const note = await addVoice(ana, ben)
    const socket = await connect(app, ana)
    const message = sending(ana, ben, note.id)
    const acks = [await socket.ask('send_message', message), await socket.ask('send_message', message)]
    for (const ack of acks) expect(ack).toMatchObject({ ok: true, message: { seq: 1, attachment: { id: note.id } } })
  })

  test('only one of several concurrent messages gets an attachment', { tags: 'long' }, async () => {
    const [ana, ben] = await pair()
    const note = await addVoice(ana, ben)
    const socket = await connect(app, ana)
    const acks = await Promise.all(
      Array.from({ length: 5 }, () => socket.ask('send_message', sending(ana, ben, note.id))),
    )
    expect(acks.filter(({ ok }) => ok)).toHaveLength(1)
    for (const ack of acks.filter(({ ok }) => !ok)) expect(ack).toMatchObject({ code: 'not_found' })
  })

  test("a message can't carry an attachment of someone else or of another conversation, or a missing one", async () => {
    const [ana, ben] = await pair()
    const [cleo] = await pair()
    const [theirs, elsewhere] = [await addVoice(ben, ana), await addVoice(ana, cleo)]
    const socket = await connect(app, ana)
    for (const id of [theirs.id, elsewhere.id, randomUUID()]) {
      expect(await socket.ask('send_message', sending(ana, ben, id))).toEqual({ ok: false, code: 'not_found' })
    }
  })

  test('a deleted message is announced before its files are removed, however long that takes', async () => {
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
