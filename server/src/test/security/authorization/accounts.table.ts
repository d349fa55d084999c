import { everywhere, nobodySignedIn, type Table } from './table.ts'

const signedIn = 'member stranger blocked admin'
const everybody = `${nobodySignedIn} ${signedIn} suspended`
const memberOnly = { [nobodySignedIn]: '401', suspended: '403:suspended', [signedIn]: '200' }
const alsoSuspended = { [nobodySignedIn]: '401', [`${signedIn} suspended`]: '200' }
const address = { email: 'nobody-in-particular@canary.example' }

/** Accounts, sessions, one's own profile, places and notifications. */
export const accountsTable: Table = {
  'POST /api/user/requestOtp': {
    about: 'nobody',
    send: () => ({ body: address }),
    cells: { [everybody]: '202' },
  },
  'POST /api/user/verifyOtp': {
    about: 'nobody',
    send: ({ cast }) => ({ body: { email: cast.people.other.email, otp: '00000000' } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'POST /api/user/register': {
    about: 'nobody',
    send: () => ({ body: { ...address, otp: '00000000', name: 'X', birthDate: '1990-01-01', acceptTerms: true } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'POST /api/user/authenticate': {
    about: 'nobody',
    send: ({ cast }) => ({ body: { email: cast.people.other.email, otp: '00000000' } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'POST /api/user/reauthenticate': {
    about: 'nobody',
    send: () => ({ body: { otp: '00000000' } }),
    cells: { [nobodySignedIn]: '401', [`${signedIn} suspended`]: '401:invalid_credentials' },
  },
  'POST /api/user/signOut': { about: 'nobody', send: () => ({}), cells: alsoSuspended },
  'POST /api/user/signOutEverywhere': { about: 'nobody', send: () => ({}), cells: alsoSuspended },
  'GET /api/user/sessions': { about: 'nobody', send: () => ({}), cells: alsoSuspended },
  'PUT /api/user/language': { about: 'nobody', send: () => ({ body: { language: 'es' } }), cells: alsoSuspended },
  'DELETE /api/user/sessions/:id': {
    about: 'session',
    send: ({ id }) => ({ params: { id } }),
    cells: { [nobodySignedIn]: everywhere('401'), [`${signedIn} suspended`]: '200 404 404 404 404 404 404' },
  },
  'GET /api/user/myDetails': { about: 'nobody', send: () => ({}), cells: memberOnly },
  'PATCH /api/user/updateUser': {
    about: 'nobody',
    send: () => ({ body: { bio: 'Another bio' } }),
    cells: memberOnly,
  },
  'PATCH /api/user/updateUser #image': {
    about: 'photo',
    send: ({ id }) => ({ body: { images: [id] } }),
    cells: {
      [nobodySignedIn]: everywhere('401'),
      suspended: everywhere('403:suspended'),
      [signedIn]: '200 400 400 400 400 400 400',
    },
  },
  'PATCH /api/user/updateUser #rights': {
    about: 'nobody',
    send: () => ({ body: { bio: 'x', isSuperAdmin: true } }),
    cells: { [nobodySignedIn]: '401', suspended: '403:suspended', [signedIn]: '400' },
  },
  'GET /api/places': { about: 'nobody', send: () => ({ query: { query: 'lis' } }), cells: { [everybody]: '200' } },
  'PATCH /api/user/updateLocation': {
    about: 'nobody',
    send: () => ({ body: { latitude: 10, longitude: 10 } }),
    cells: memberOnly,
  },
  'GET /api/notifications': { about: 'nobody', send: () => ({}), cells: memberOnly },
  'PATCH /api/notifications': { about: 'nobody', send: () => ({ body: { read: true } }), cells: memberOnly },
  'DELETE /api/notifications': { about: 'nobody', send: () => ({}), cells: memberOnly },
  'PATCH /api/notifications/:id': {
    about: 'notification',
    send: ({ id }) => ({ params: { id }, body: { read: true } }),
    cells: {
      [nobodySignedIn]: everywhere('401'),
      suspended: everywhere('403:suspended'),
      [signedIn]: '200 404 404 404 404 404 404',
    },
  },
}
