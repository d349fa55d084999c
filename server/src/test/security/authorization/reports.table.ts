import { everywhere, type Table, withoutSession } from './table.ts'

const signedIn = 'member stranger blocked admin'
const refused = { [withoutSession]: everywhere('401'), suspended: everywhere('403:suspended') }
const report = (userId: string, subject: object) => ({
  body: { userId, subject, reason: 'harassment', details: 'It was so' },
})

/** Reports about people whom the caller can see or has exchanged messages with. */
export const reportsTable: Table = {
  'POST /api/reports': {
    about: 'person',
    send: ({ id }) => report(id, { kind: 'profile' }),
    cells: {
      ...refused,
      // The last people can also be reported after the caller can't see them anymore, if they exchanged messages.
      member: '400 201 201 201 404 404 404',
      'stranger admin': '400 201 404 404 404 404 404',
      blocked: '400 201 404 404 404 404 404',
    },
  },
  'POST /api/reports #message': {
    about: 'person',
    send: ({ id }) => report(id, { kind: 'message', seq: 2 }),
    // A message can be reported even if the caller can't see its sender anymore.
    cells: {
      ...refused,
      member: '400 201 201 201 404 404 404',
      'stranger admin': '400 404 404 404 404 404 404',
      blocked: '400 201 404 404 404 404 404',
    },
  },
  'POST /api/reports #photo': {
    about: 'photo',
    send: ({ id, cast }) => report(cast.people.other.who.id, { kind: 'photo', fileName: id.slice(0, 64) }),
    cells: { ...refused, 'member stranger admin': '404 201 404 404 404 404 404', blocked: everywhere('404') },
  },
  'GET /api/reports': {
    about: 'no one',
    send: () => ({}),
    cells: { [withoutSession]: '401', suspended: '403:suspended', [signedIn]: '200' },
  },
  'GET /api/reports/past-contacts': {
    about: 'no one',
    send: () => ({ query: {} }),
    cells: { [withoutSession]: '401', suspended: '403:suspended', [signedIn]: '200' },
  },
  'GET /api/admin/reports': {
    about: 'no one',
    send: () => ({}),
    cells: { [withoutSession]: '401', 'member stranger blocked suspended': '404', admin: '200' },
  },
}
