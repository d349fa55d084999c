import { describe, expect, it } from 'vitest'
import { createContacts } from './contacts.ts'
import type { ContactRow } from './presence.queries.ts'

const row = (user_id: string, peer_id: string, mine = true, theirs = true): ContactRow => ({
  ...{ user_id, peer_id, mine, theirs, held: false },
})
function contactsOf(...here: string[]) {
  const contacts = createContacts()
  for (const userId of here) contacts.enter(userId)
  return contacts
}

describe('contacts', () => {
  it('contacts are mutual once both list the conversation, even if one of them is connected to another process', () => {
    const contacts = contactsOf('ana')
    contacts.watch('ana', 'ben')
    expect(contacts.areMutual('ana', 'ben')).toBe(false)
    contacts.watch('ben', 'ana')
    expect(contacts.areMutual('ana', 'ben')).toBe(true)
    expect([...contacts.watchersOf('ben')]).toEqual(['ana'])
  })

  it("no contacts are kept of people who aren't connected here", () => {
    const contacts = contactsOf('ana')
    contacts.watch('eve', 'jun')
    contacts.watch('ana', 'ben')
    contacts.leave('ana')
    expect(contacts.everybody()).toEqual([])
    expect([...contacts.watchersOf('ben'), ...contacts.watchersOf('jun')]).toEqual([])
    expect(contacts.peersOf('ana')).toEqual([])
  })

  it("a contact that ends during a database query doesn't return with its result", async () => {
    const contacts = contactsOf('ana')
    await contacts.load(['ana'], async () => {
      contacts.part('ben', 'ana')
      return [row('ana', 'ben'), row('ana', 'eve')]
    })
    expect(contacts.peersOf('ana')).toEqual(['eve'])
  })

  it("a contact that begins during a database query isn't lost with its result", async () => {
    const contacts = contactsOf('ana')
    await contacts.load(['ana'], async () => {
      contacts.watch('ana', 'ben')
      contacts.watch('ben', 'ana')
      return []
    })
    expect(contacts.areMutual('ana', 'ben')).toBe(true)
  })

  it('contacts changed during a load are read by a later load, even if loads always overlap', async () => {
    const contacts = contactsOf('ana')
    let resolve: (rows: ContactRow[]) => void = () => undefined
    const answer = new Promise<ContactRow[]>((give) => {
      resolve = give
    })
    let first: Promise<void> = Promise.resolve()
    await contacts.load(['ana'], async () => {
      first = contacts.load(['eve'], () => answer)
      contacts.watch('ana', 'ben')
      contacts.watch('ben', 'ana')
      return []
    })
    expect(contacts.areMutual('ana', 'ben')).toBe(true)
    await contacts.load(['ana'], async () => [])
    expect(contacts.areMutual('ana', 'ben')).toBe(false)
    resolve([])
    await first
  })

  it('a contact that ended without notice disappears at the next query', async () => {
    const contacts = contactsOf('ana')
    await contacts.load(['ana'], async () => [row('ana', 'ben'), row('ana', 'eve')])
    await contacts.load(['ana'], async () => [row('ana', 'eve', true, false)])
    expect(contacts.peersOf('ana')).toEqual(['eve'])
    expect(contacts.areMutual('ana', 'eve')).toBe(false)
    expect([...contacts.watchersOf('ben')]).toEqual([])
  })
})
