import type { Cast, Name } from './cast.ts'
import { everywhere, type Table, withoutSession } from './table.ts'

const signedIn = 'member stranger blocked admin'
const refused = { [withoutSession]: everywhere('unauthenticated'), suspended: everywhere('suspended') }
const missing = everywhere('not_found')
const withOther = {
  ...refused,
  member: 'not_found ok not_found not_found not_found not_found not_found',
  'stranger blocked admin': missing,
}
/** Who may write to whom, if people accept messages from everyone. */
const writable = {
  ...refused,
  'member stranger admin': 'not_found ok not_found not_found not_found not_found not_found',
  blocked: missing,
}

const idOf = (cast: Cast, caller: Name | undefined) => (caller ? cast.people[caller].who.id : '')
const messageOf = (receiverId: string, senderId: string) => ({
  id: 'of-the-table',
  message: 'Hi',
  senderId,
  receiverId,
})

/** Socket requests. The response to a typing event never reveals whether it was passed on. */
export const socketsTable: Table = {
  get_conversations: {
    about: 'no one',
    send: () => undefined,
    cells: { [withoutSession]: 'unauthenticated', suspended: 'suspended', [signedIn]: 'ok' },
  },
  get_or_create_conversation: { about: 'person', send: ({ id }) => ({ withUser: id }), cells: writable },
  mark_as_read: {
    about: 'person',
    send: ({ id, cast, caller }) => ({ conversationId: id, userId: idOf(cast, caller), upToSeq: 2 }),
    cells: withOther,
  },
  'mark_as_read #forged': {
    about: 'person',
    send: ({ id, cast }) => ({ conversationId: id, userId: cast.people.hidden.who.id, upToSeq: 2 }),
    cells: { ...refused, [signedIn]: everywhere('forbidden') },
  },
  mark_as_delivered: {
    about: 'person',
    send: ({ id }) => ({ conversationId: id, upToSeq: 2 }),
    cells: withOther,
  },
  send_message: {
    about: 'person',
    send: ({ id, cast, caller }) => messageOf(id, idOf(cast, caller)),
    cells: writable,
  },
  'send_message #forged': {
    about: 'person',
    send: ({ id, cast }) => messageOf(id, cast.people.hidden.who.id),
    cells: { ...refused, [signedIn]: everywhere('forbidden') },
  },
  typing: { about: 'person', send: ({ id }) => ({ to: id }), cells: { ...refused, [signedIn]: everywhere('ok') } },
  looking: {
    about: 'no one',
    send: () => ({ looking: false }),
    cells: { [withoutSession]: 'unauthenticated', suspended: 'suspended', [signedIn]: 'ok' },
  },
  stop_typing: {
    about: 'person',
    send: ({ id }) => ({ to: id }),
    cells: { ...refused, [signedIn]: everywhere('ok') },
  },
}
