import { randomUUID } from 'node:crypto'
import { untold } from './cast.ts'
import { everywhere, type Table, withoutSession } from './table.ts'

const signedIn = 'member stranger blocked admin'
const everybody = `${withoutSession} ${signedIn} suspended`
const memberOnly = { [withoutSession]: '401', suspended: '403:suspended', [signedIn]: '200' }
const alsoSuspended = { [withoutSession]: '401', [`${signedIn} suspended`]: '200' }
const address = { email: 'no-one-in-particular@canary.example' }

const unknownPasskey = {
  ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' as const },
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
}

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
  'GET /api/user/access': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'PUT /api/user/password': {
    about: 'no one',
    send: () => ({ body: { password: 'Correct horse 9' } }),
    cells: alsoSuspended,
  },
  'DELETE /api/user/password': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'POST /api/user/recoveryCodes': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'GET /api/user/passkeys': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'POST /api/user/passkeys/options': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'POST /api/user/passkeys': {
    about: 'no one',
    send: () => ({
      body: { passkey: { ...unknownPasskey, response: { clientDataJSON: 'AA', attestationObject: 'AA' } } },
    }),
    cells: { [withoutSession]: '401', [`${signedIn} suspended`]: '401:invalid_credentials' },
  },
  'DELETE /api/user/passkeys/:id': {
    about: 'no one',
    send: () => ({ params: { id: randomUUID() } }),
    cells: { [withoutSession]: '401', [`${signedIn} suspended`]: '404' },
  },
  'POST /api/user/passkeys/challenge': { about: 'no one', send: () => ({}), cells: { [everybody]: '200' } },
  'POST /api/user/passkeys/authenticate': {
    about: 'no one',
    send: () => ({ body: { passkey: unknownPasskey } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'POST /api/user/passkeys/reauthenticate': {
    about: 'no one',
    send: () => ({ body: { passkey: unknownPasskey } }),
    cells: { [withoutSession]: '401', [`${signedIn} suspended`]: '401:invalid_credentials' },
  },
  'POST /api/user/addressChange': {
    about: 'no one',
    send: () => ({ body: address }),
    cells: {
      [withoutSession]: '401',
      suspended: '403:suspended',
      'member stranger blocked': '202',
      admin: '403:forbidden',
    },
  },
  'POST /api/user/addressChange/confirm': {
    about: 'no one',
    send: () => ({ body: { ...address, otp: '00000000' } }),
    cells: { [withoutSession]: '401', suspended: '403:suspended', [signedIn]: '401:invalid_credentials' },
  },
  'POST /api/user/addressChange/undo': {
    about: 'no one',
    send: () => ({ body: { token: 'A'.repeat(64) } }),
    cells: { [everybody]: '404' },
  },
  // The people in this table have no sign-in provider.
  'POST /api/user/oidc/start': {
    about: 'no one',
    send: () => ({ body: { staySignedIn: false } }),
    cells: { [everybody]: '404' },
  },
  'POST /api/user/oidc/finish': {
    about: 'no one',
    send: () => ({ body: { code: 'A'.repeat(43) } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'POST /api/user/oidc/register': {
    about: 'no one',
    send: () => ({ body: { code: 'A'.repeat(43), name: 'X', birthDate: '1990-01-01', acceptTerms: true } }),
    cells: { [everybody]: '401:invalid_credentials' },
  },
  'GET /api/user/identities': { about: 'no one', send: () => ({}), cells: alsoSuspended },
  'DELETE /api/user/identities/:id': {
    about: 'identity',
    send: ({ id }) => ({ params: { id } }),
    cells: { [withoutSession]: everywhere('401'), [`${signedIn} suspended`]: '200 404 404 404 404 404 404' },
  },
  'POST /api/user/identities/:id/allow': {
    about: 'removedIdentity',
    send: ({ id }) => ({ params: { id } }),
    cells: { [withoutSession]: everywhere('401'), [`${signedIn} suspended`]: '200 404 404 404 404 404 404' },
  },
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
  'GET /api/notifications/preferences': { about: 'no one', send: () => ({}), cells: memberOnly },
  'PUT /api/notifications/preferences': {
    about: 'no one',
    send: () => ({
      body: { ...untold, quietHours: { from: '23:00', to: '07:00' } },
    }),
    cells: memberOnly,
  },
  'GET /api/push': { about: 'no one', send: () => ({}), cells: memberOnly },
  'POST /api/push/test': { about: 'no one', send: () => ({}), cells: memberOnly },
  'PUT /api/push/subscription': {
    about: 'no one',
    send: () => ({
      body: {
        endpoint: `https://push.invalid/${randomUUID()}`,
        keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
        timeZone: 'Europe/Lisbon',
      },
    }),
    cells: memberOnly,
  },
  'DELETE /api/push/devices/:id': {
    about: 'device',
    send: ({ id }) => ({ params: { id } }),
    cells: {
      [withoutSession]: everywhere('401'),
      suspended: everywhere('403:suspended'),
      [signedIn]: '200 404 404 404 404 404 404',
    },
  },
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
