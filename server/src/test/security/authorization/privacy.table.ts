import { type Table, withoutSession } from './table.ts'

const memberOnly = { [withoutSession]: '401', suspended: '403:suspended', 'member stranger blocked admin': '200' }

export const privacyTable: Table = {
  'GET /api/privacy': { about: 'no one', send: () => ({}), cells: memberOnly },
  'PATCH /api/privacy': {
    about: 'no one',
    send: () => ({ body: { whoMayMessage: 'everyone', hideDistance: true, hiddenWords: ['tea'] } }),
    cells: memberOnly,
  },
}
