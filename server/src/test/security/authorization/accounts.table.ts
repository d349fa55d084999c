import { everywhere, type Table, withoutSession } from './table.ts'

const signedIn = 'member stranger blocked admin'
const everybody = `${withoutSession} ${signedIn} suspended`
const memberOnly = { [withoutSession]: '401', suspended: '403:suspended', [signedIn]: '200' }
const alsoSuspended = { [withoutSession]: '401', [`${signedIn} suspended`]: '200' }
const address = { email: 'no-one-in-particular@canary.example' }

/** Accounts, sessions, one's own profile, places and notifications. */
export const accountsTable: Table = {
  'POST /api/user/requestOtp': {
    about: 'no one',
    send: () => ({ body: address }),
    cells: { [everybody]: '202' },
  },
  'POST /api/user/verifyOtp': {
    about: 'no one',
    send: ({ cast }) => ({ body: { email: cast.people.other.email, otp: '00000000' } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'POST /api/user/register': {
    about: 'no one',
    send: () => ({ body: { ...address, otp: '00000000', name: 'X', birthDate: '1990-01-01', acceptTerms: true } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'POST /api/user/authenticate': {
    about: 'no one',
    send: ({ cast }) => ({ body: { email: cast.people.other.email, otp: '00000000' } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'POST /api/user/reauthenticate': {
    about: 'no one',
    send: () => ({ body: { otp: '00000000' } }),
    cells: { [withoutSession]: '401', [`${signedIn} suspended`]: '401:invalid_credentials' },
  },
  'POST /api/user/signOut': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'POST /api/user/signOutEverywhere': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'GET /api/user/sessions': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'PUT /api/user/language': { about: 'no one', send: () => ({ body: { language: 'es' } }), cells: alsoSuspended },
  'DELETE /api/user/sessions/:id': {
    about: 'session',
    send: ({ id }) => ({ params: { id } }),
    cells: { [withoutSession]: everywhere('401'), [`${signedIn} suspended`]: '200 404 404 404 404 404 404' },
  },
  'GET /api/user/myDetails': { about: 'no one', send: () => ({}), cells: memberOnly },
  'PATCH /api/user/updateUser': {
    about: 'no one',
    send: () => ({ body: { bio: 'Another bio' } }),
    cells: memberOnly,
  },
  'PATCH /api/user/updateUser #image': {
    about: 'photo',
    send: ({ id }) => ({ body: { images: [id] } }),
    cells: {
      [withoutSession]: everywhere('401'),
      suspended: everywhere('403:suspended'),
      [signedIn]: '200 400 400 400 400 400 400',
    },
  },
  'PATCH /api/user/updateUser #rights': {
    about: 'no one',
    send: () => ({ body: { bio: 'x', isSuperAdmin: true } }),
    cells: { [withoutSession]: '401', suspended: '403:suspended', [signedIn]: '400' },
  },
  'GET /api/places': { about: 'no one', send: () => ({ query: { query: 'lis' } }), cells: { [everybody]: '200' } },
  'PATCH /api/user/updateLocation': {
    about: 'no one',
    send: () => ({ body: { latitude: 10, longitude: 10 } }),
    cells: memberOnly,
  },
  'GET /api/notifications': { about: 'no one', send: () => ({}), cells: memberOnly },
  'PATCH /api/notifications': { about: 'no one', send: () => ({ body: { read: true } }), cells: memberOnly },
  'DELETE /api/notifications': { about: 'no one', send: () => ({}), cells: memberOnly },
  'PATCH /api/notifications/:id': {
    about: 'notification',
    send: ({ id }) => ({ params: { id }, body: { read: true } }),
    cells: {
      [withoutSession]: everywhere('401'),
      suspended: everywhere('403:suspended'),
      [signedIn]: '200 404 404 404 404 404 404',
    },
  },
}
