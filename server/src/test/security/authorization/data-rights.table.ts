import { everywhere, type Table, withoutSession } from './table.ts'

/** Includes suspended people, who keep the right to their data. */
const everyone = 'member stranger blocked suspended admin'
const own = { [withoutSession]: '401', [everyone]: '200' }

export const dataRightsTable: Table = {
  'GET /api/erasure': { about: 'no one', send: () => ({}), cells: own },
  'POST /api/erasure': { about: 'no one', send: () => ({ body: {} }), cells: own },
  'DELETE /api/erasure': { about: 'no one', send: () => ({}), cells: own },
  'GET /api/export': { about: 'no one', send: () => ({}), cells: own },
  'POST /api/export': {
    about: 'no one',
    send: () => ({ body: { language: 'en' } }),
    cells: { [withoutSession]: '401', [everyone]: '202' },
  },
  'GET /api/consents': { about: 'no one', send: () => ({}), cells: own },
  'PUT /api/consents': {
    about: 'no one',
    send: () => ({ body: { purpose: 'location', granted: false } }),
    cells: own,
  },
  'GET /api/mail': { about: 'no one', send: () => ({}), cells: own },
  'POST /api/mail/retry': { about: 'no one', send: () => ({}), cells: own },
  'POST /api/mail/resume': {
    about: 'no one',
    send: () => ({ body: { group: 'all' } }),
    cells: { [withoutSession]: '401', suspended: '403:suspended', 'member stranger blocked admin': '200' },
  },
  // Unsubscribing needs a token; an id isn't one, not even one's own.
  'POST /api/mail/unsubscribe': {
    about: 'person',
    send: ({ id }) => ({ query: { token: id }, body: { 'List-Unsubscribe': 'One-Click' } }),
    cells: { [`${withoutSession} ${everyone}`]: everywhere('404') },
  },
  'PUT /api/consents #terms': {
    about: 'no one',
    send: () => ({ body: { purpose: 'terms', granted: false } }),
    cells: { [withoutSession]: '401', [everyone]: '400' },
  },
}
