import { nobodySignedIn, type Table } from './table.ts'

/** Also for those who are suspended: what is theirs stays theirs. */
const everyone = 'member stranger blocked suspended admin'
const own = { [nobodySignedIn]: '401', [everyone]: '200' }

/** Export, erasure and consents. */
export const dataRightsTable: Table = {
  'GET /api/erasure': { about: 'nobody', send: () => ({}), cells: own },
  'POST /api/erasure': { about: 'nobody', send: () => ({ body: {} }), cells: own },
  'DELETE /api/erasure': { about: 'nobody', send: () => ({}), cells: own },
  'GET /api/export': { about: 'nobody', send: () => ({}), cells: own },
  'POST /api/export': {
    about: 'nobody',
    send: () => ({ body: { language: 'en' } }),
    cells: { [nobodySignedIn]: '401', [everyone]: '202' },
  },
  'GET /api/consents': { about: 'nobody', send: () => ({}), cells: own },
  'PUT /api/consents': {
    about: 'nobody',
    send: () => ({ body: { purpose: 'location', granted: false } }),
    cells: own,
  },
  'PUT /api/consents #terms': {
    about: 'nobody',
    send: () => ({ body: { purpose: 'terms', granted: false } }),
    cells: { [nobodySignedIn]: '401', [everyone]: '400' },
  },
}
