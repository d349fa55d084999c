import { nobodySignedIn, type Table } from './table.ts'

const memberOnly = { [nobodySignedIn]: '401', suspended: '403:suspended', 'member stranger blocked admin': '200' }

/** How much of themselves people show: each their own. */
export const privacyTable: Table = {
  'GET /api/privacy': { about: 'nobody', send: () => ({}), cells: memberOnly },
  'PATCH /api/privacy': {
    about: 'nobody',
    send: () => ({ body: { whoMayMessage: 'everyone', hideDistance: true, hiddenWords: ['tea'] } }),
    cells: memberOnly,
  },
}
