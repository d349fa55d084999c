import { everywhere, type Table, withoutSession } from './table.ts'

const signedIn = 'member stranger blocked suspended admin'
const unblocked = 'member stranger admin'
const everybody = `${withoutSession} ${signedIn}`
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const ownOnly = { [withoutSession]: everywhere('401'), [signedIn]: '200 404 404 404 404 404 404' }

/** Shared dates: only the owner can change a date, and others need its link to read it. */
export const datesTable: Table = {
  'POST /api/dates': {
    about: 'no one',
    send: () => ({ body: { place: 'A park', at: inAnHour() } }),
    cells: { [withoutSession]: '401', suspended: '403:suspended', 'member stranger blocked admin': '201' },
  },
  'POST /api/dates #with': {
    about: 'person',
    send: ({ id }) => ({ body: { withUserId: id, place: 'A park', at: inAnHour() } }),
    cells: {
      [withoutSession]: everywhere('401'),
      suspended: everywhere('403:suspended'),
      [unblocked]: '404 201 404 404 404 404 404',
      blocked: everywhere('404'),
    },
  },
  'GET /api/dates': {
    about: 'no one',
    send: () => ({}),
    cells: { [withoutSession]: '401', [signedIn]: '200' },
  },
  'PATCH /api/dates/:id': {
    about: 'date',
    send: ({ id }) => ({ params: { id }, body: { place: 'Another park' } }),
    cells: ownOnly,
  },
  'PATCH /api/dates/:id #end': {
    about: 'date',
    send: ({ id }) => ({ params: { id }, body: { ended: true } }),
    cells: ownOnly,
  },
  'POST /api/dates/:id/checkIn': {
    about: 'date',
    send: ({ id }) => ({ params: { id } }),
    cells: ownOnly,
  },
  // The endpoint needs the link's token; a date's id isn't one, not even for its owner.
  'GET /api/shared-dates/:token': {
    about: 'date',
    send: ({ id }) => ({ params: { token: id } }),
    cells: { [everybody]: everywhere('404') },
  },
  'POST /api/declined-contacts': {
    about: 'date',
    send: ({ id }) => ({ body: { key: id } }),
    cells: { [everybody]: everywhere('404') },
  },
}
