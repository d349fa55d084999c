// @vitest-environment node
import { expect, it } from 'vitest'
import { hasNewer, hasOlder } from '../conversation-list.ts'
import { device, rest, server, talk, upTo } from '../device.test-fake.ts'

it('Opening a conversation puts the divider before the first unread message and marks everything as read', async () => {
  talk(5)
  server.read('maya', 'me', 2)
  const { chat, maya, selection } = await device()
  expect(maya().unreadCount).toBe(3)
  await chat.pages.open('maya')
  await rest()
  expect(selection().newFromSeq).toBe(3)
  expect(server.roomOf('maya').readByMe).toBe(5)
  talk(1)
  expect(maya().unreadCount).toBe(0)
  expect(server.roomOf('maya').readByMe).toBe(5)
  chat.read('maya')
  await rest()
  expect(server.roomOf('maya').readByMe).toBe(6)
})

it('Messages that arrived in an open conversation but weren’t read count once another one is open', async () => {
  talk(1)
  server.write('kofi', 'kofi')
  const { chat, maya } = await device()
  await chat.pages.open('maya')
  talk(1)
  expect(maya().unreadCount).toBe(0)
  await chat.pages.open('kofi')
  expect(maya().unreadCount).toBe(1)
})

it('A jump to an old message allows paging in both directions and back to the newest', async () => {
  talk(300)
  server.read('maya', 'me', 300)
  const { chat, seqs, maya } = await device()
  await chat.pages.open('maya')
  expect(await chat.pages.jumpTo('maya', 100)).toBe(true)
  expect(seqs()).toEqual(upTo(76, 125))
  expect([hasOlder(maya()), hasNewer(maya())]).toEqual([true, true])
  await chat.pages.older('maya')
  await chat.pages.newer('maya')
  expect(seqs()).toEqual(upTo(26, 175))
  talk(1)
  expect(seqs()).toEqual(upTo(26, 175))
  await chat.pages.newest('maya')
  expect(seqs()).toEqual(upTo(251, 301))
  expect(await chat.pages.jumpTo('maya', 999)).toBe(false)
})

it('Paging forward after a jump reaches the newest messages', async () => {
  talk(150)
  server.read('maya', 'me', 150)
  const { chat, seqs, maya } = await device()
  await chat.pages.open('maya')
  await chat.pages.jumpTo('maya', 60)
  await chat.pages.newer('maya')
  expect(seqs()?.at(-1)).toBe(150)
  expect(hasNewer(maya())).toBe(false)
})

it('Opening a conversation marks messages as read that only its page brought', async () => {
  talk(1)
  server.read('maya', 'me', 1)
  let lost = false
  const { chat } = await device(() => lost)
  lost = true
  talk(2)
  lost = false
  await chat.pages.open('maya')
  await rest()
  expect(server.roomOf('maya').readByMe).toBe(3)
})

it('A conversation opened in a hidden tab is read once the tab shows, unless another is open by then', async () => {
  const looks: (() => void)[] = []
  talk(1)
  server.write('kofi', 'kofi')
  const { chat } = await device(undefined, (act) => looks.push(act))
  await chat.pages.open('kofi')
  await chat.pages.open('maya')
  await rest()
  expect(server.roomOf('maya').readByMe).toBe(0)
  for (const look of looks.splice(0)) look()
  await rest()
  expect(server.roomOf('maya').readByMe).toBe(1)
  expect(server.roomOf('kofi').readByMe).toBe(0)
})
