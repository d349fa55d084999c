import { everywhere, type Table, withoutSession } from './table.ts'

const memberOnly = { [withoutSession]: '401', suspended: '403:suspended', 'member stranger blocked admin': '200' }
/**
 * The member has exchanged messages with `other` and with three people they can't see anymore. Nobody else has a
 * conversation.
 */
const withOther = {
  [withoutSession]: everywhere('401'),
  suspended: everywhere('403:suspended'),
  member: '404 200 404 404 404 404 404',
  'stranger blocked admin': everywhere('404'),
}
const nowhere = {
  [withoutSession]: everywhere('401'),
  suspended: everywhere('403:suspended'),
  'member stranger blocked admin': everywhere('404'),
}

/** Conversations over HTTP. In each, seq 1 is the caller's own message and seq 2 the other person's. */
export const conversationsTable: Table = {
  'GET /api/messages/history': { about: 'no one', send: () => ({}), cells: memberOnly },
  'GET /api/conversations/:userId/messages': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id } }),
    cells: withOther,
  },
  'GET /api/conversations/:userId/changes': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id }, query: { after: 0, since: 0 } }),
    cells: withOther,
  },
  'PATCH /api/conversations/:userId/messages/:seq': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id, seq: '1' }, body: { message: 'Another text' } }),
    cells: withOther,
  },
  'PATCH /api/conversations/:userId/messages/:seq #theirs': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id, seq: '2' }, body: { message: 'Another text' } }),
    cells: nowhere,
  },
  'DELETE /api/conversations/:userId/messages/:seq': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id, seq: '1' } }),
    cells: withOther,
  },
  'DELETE /api/conversations/:userId/messages/:seq #theirs': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id, seq: '2' } }),
    cells: nowhere,
  },
  'PUT /api/conversations/:userId/messages/:seq/reaction': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id, seq: '2' }, body: { emoji: '👍' } }),
    cells: withOther,
  },
  'PATCH /api/conversations/:userId': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id }, body: { muted: true } }),
    cells: withOther,
  },
  'DELETE /api/conversations/:userId': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id } }),
    cells: withOther,
  },
  'GET /api/messages/search': {
    about: 'person',
    send: ({ id }) => ({ query: { query: 'secret', with: id } }),
    cells: {
      [withoutSession]: everywhere('401'),
      suspended: everywhere('403:suspended'),
      'member stranger blocked admin': everywhere('200'),
    },
  },
  'POST /api/conversations/:userId/attachments': {
    about: 'person',
    send: ({ id, cast }) => {
      const form = new FormData()
      form.append('file', cast.picture, 'photo.jpg')
      return { params: { userId: id }, form }
    },
    // Anyone who may write to a person may also start with a picture.
    cells: {
      [withoutSession]: everywhere('401'),
      suspended: everywhere('403:suspended'),
      'member stranger admin': '404 201 404 404 404 404 404',
      blocked: everywhere('404'),
    },
  },
}
