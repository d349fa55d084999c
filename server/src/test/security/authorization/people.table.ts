import { everywhere, type Table, withoutSession } from './table.ts'

const signedIn = 'member stranger blocked admin'
const unblocked = 'member stranger admin'
const memberOnly = { [withoutSession]: '401', suspended: '403:suspended', [signedIn]: '200' }
const refused = { [withoutSession]: everywhere('401'), suspended: everywhere('403:suspended') }
const ownOnly = { ...refused, [signedIn]: '200 404 404 404 404 404 404' }

const formWith = (picture: Blob) => {
  const form = new FormData()
  form.append('file', picture, 'photo.jpg')
  return form
}

export const peopleTable: Table = {
  'GET /api/user/:id': {
    about: 'person',
    send: ({ id }) => ({ params: { id } }),
    cells: { ...refused, [unblocked]: '200 200 404 404 404 404 404', blocked: '200 404 404 404 404 404 404' },
  },
  'PATCH /api/user/:userId/image': {
    about: 'person',
    send: ({ id, cast }) => ({ params: { userId: id }, form: formWith(cast.picture) }),
    cells: ownOnly,
  },
  'PATCH /api/user/deleteImage': {
    about: 'photo',
    send: ({ id }) => ({ body: { imageFileName: id } }),
    cells: ownOnly,
  },
  'PATCH /api/photos/:fileName': {
    about: 'photo',
    send: ({ id }) => ({ params: { fileName: id }, body: { alt: 'A garden' } }),
    cells: ownOnly,
  },
  'GET /api/user/nearBy': { about: 'no one', send: () => ({}), cells: memberOnly },
  'GET /api/deck': { about: 'no one', send: () => ({}), cells: memberOnly },
  'POST /api/pool': { about: 'no one', send: () => ({ body: { maxDistanceKm: 5 } }), cells: memberOnly },
  'PUT /api/decisions/:userId': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id }, body: { decision: 'like', comment: 'Hello' } }),
    cells: {
      ...refused,
      member: '400 200 404 404 404 404 404',
      'stranger admin': '400 200 404 404 404 404 404',
      blocked: '400 404 404 404 404 404 404',
    },
  },
  'PUT /api/decisions/:userId #pass': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id }, body: { decision: 'pass' } }),
    cells: {
      ...refused,
      member: '400 409 404 404 404 404 404',
      'stranger admin': '400 200 404 404 404 404 404',
      blocked: '400 404 404 404 404 404 404',
    },
  },
  'PUT /api/decisions/:userId #photo': {
    about: 'photo',
    send: ({ id, cast }) => ({
      params: { userId: cast.people.other.who.id },
      body: { decision: 'like', item: { kind: 'photo', fileName: id.slice(0, 64) } },
    }),
    cells: {
      ...refused,
      member: '200 200 200 200 200 200 200',
      'stranger admin': '400 200 400 400 400 400 400',
      blocked: everywhere('404'),
    },
  },
  'DELETE /api/decisions/:userId': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id } }),
    // For people who can't be seen, the response reveals neither the reason nor whether there was a decision.
    cells: {
      ...refused,
      member: '404 409 200 200 200 200 404',
      'stranger admin': '404 404 200 200 200 200 404',
      blocked: '404 200 200 200 200 200 404',
    },
  },
  'POST /api/decisions/undo': {
    about: 'no one',
    send: () => ({}),
    cells: { [withoutSession]: '401', suspended: '403:suspended', [signedIn]: '404' },
  },
  'POST /api/decisions/undo #named': {
    about: 'person',
    send: ({ id }) => ({ body: { userId: id } }),
    cells: { ...refused, [signedIn]: everywhere('404') },
  },
  'GET /api/likes': { about: 'no one', send: () => ({}), cells: memberOnly },
  'GET /api/decisions': { about: 'no one', send: () => ({ query: { decision: 'like' } }), cells: memberOnly },
  'GET /api/matches': { about: 'no one', send: () => ({}), cells: memberOnly },
  'DELETE /api/matches/:userId': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id } }),
    cells: { ...refused, member: '404 200 404 404 404 404 404', 'stranger blocked admin': everywhere('404') },
  },
  'GET /api/matching': {
    about: 'no one',
    send: () => ({}),
    cells: { [`${withoutSession} suspended`]: '200', [signedIn]: '200' },
  },
  'DELETE /api/matching/learning': { about: 'no one', send: () => ({}), cells: memberOnly },
  'GET /api/questions': { about: 'no one', send: () => ({}), cells: memberOnly },
  'PUT /api/questions/:id/answer': {
    about: 'question',
    send: ({ id }) => ({ params: { id }, body: { choice: 'early', accepts: ['early'], importance: 'very' } }),
    cells: {
      [withoutSession]: '401 401 401',
      suspended: '403:suspended 403:suspended 403:suspended',
      [signedIn]: '200 404 404',
    },
  },
  'DELETE /api/questions/:id/answer': {
    about: 'question',
    send: ({ id }) => ({ params: { id } }),
    cells: {
      [withoutSession]: '401 401 401',
      suspended: '403:suspended 403:suspended 403:suspended',
      [signedIn]: '200 404 404',
    },
  },
  'GET /api/blocks': { about: 'no one', send: () => ({}), cells: memberOnly },
  'PUT /api/blocks/:userId': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id } }),
    cells: { ...refused, [signedIn]: '400 200 200 200 200 200 404' },
  },
  'DELETE /api/blocks/:userId': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id } }),
    cells: { ...refused, [signedIn]: '200 200 200 200 200 200 404' },
  },
}
