import { everywhere, type Table, withoutSession } from './table.ts'

const others = 'member stranger blocked suspended'
const mine = { [withoutSession]: '401', suspended: '403:suspended' }
const refused = { [withoutSession]: everywhere('401'), [others]: everywhere('404') }

/**
 * Verification. `blocked` has requested a pose; `admin` and the people in the columns have sent a selfie. Calls about a
 * selfie come before the decision, which deletes its file.
 */
export const verificationTable: Table = {
  'GET /api/verification': {
    about: 'no one',
    send: () => ({}),
    cells: { ...mine, 'member stranger blocked admin': '200' },
  },
  'POST /api/verification': {
    about: 'no one',
    send: () => ({ body: { handsFree: true } }),
    cells: { ...mine, 'member stranger blocked': '201', admin: '409' },
  },
  'PUT /api/verification/selfie': {
    about: 'no one',
    send: ({ cast }) => {
      const form = new FormData()
      form.append('file', cast.picture, 'selfie.jpg')
      return { form }
    },
    cells: { ...mine, 'member stranger admin': '409', blocked: '200' },
  },
  'GET /api/admin/verifications': {
    about: 'no one',
    send: () => ({}),
    cells: { [withoutSession]: '401', [others]: '404', admin: '200' },
  },
  'GET /api/admin/verifications/:id/selfie': {
    about: 'verification',
    send: ({ id }) => ({ params: { id } }),
    cells: { ...refused, admin: '403 200 200 200 404 404 404' },
  },
  'PATCH /api/admin/verifications/:id': {
    about: 'verification',
    send: ({ id }) => ({ params: { id }, body: { decision: 'rejected', reason: 'unclear' } }),
    cells: { ...refused, admin: '403 200 200 200 404 404 404' },
  },
  'DELETE /api/verification': {
    about: 'no one',
    send: () => ({}),
    cells: { ...mine, 'member stranger blocked admin': '200' },
  },
}
