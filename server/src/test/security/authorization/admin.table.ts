import { everywhere, type Table, withoutSession } from './table.ts'

const others = 'member stranger blocked suspended'
const adminOnly = { [withoutSession]: '401', [others]: '404', admin: '200' }
const refused = { [withoutSession]: everywhere('401'), [others]: everywhere('404') }

/** Endpoints for super administrators only; for everyone else they return not found. */
export const adminTable: Table = {
  'GET /api/admin/photos': { about: 'no one', send: () => ({}), cells: adminOnly },
  'PATCH /api/admin/photos/:fileName': {
    about: 'photo',
    send: ({ id }) => ({ params: { fileName: id }, body: { state: 'approved' } }),
    cells: { ...refused, admin: '403 200 200 200 404 404 404' },
  },
  'GET /api/admin/settings': { about: 'no one', send: () => ({}), cells: adminOnly },
  'PATCH /api/admin/settings': { about: 'no one', send: () => ({ body: { dailyLikes: 50 } }), cells: adminOnly },
  'GET /api/admin/insights': { about: 'no one', send: () => ({}), cells: adminOnly },
  'GET /api/admin/people': { about: 'no one', send: () => ({ query: { query: 'other' } }), cells: adminOnly },
  'GET /api/admin/people/:userId/funnel': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id } }),
    cells: { ...refused, admin: '200 200 200 200 404 404 404' },
  },
  'GET /api/admin/models': { about: 'no one', send: () => ({}), cells: adminOnly },
  'PUT /api/admin/models/:version/active': {
    about: 'model',
    send: ({ id }) => ({ params: { version: id } }),
    cells: { [withoutSession]: '401 401 401', [others]: '404 404 404', admin: '200 404 400' },
  },
}
