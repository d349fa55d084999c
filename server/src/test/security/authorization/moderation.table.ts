import { everywhere, type Table, withoutSession } from './table.ts'

const others = 'member stranger blocked suspended'
const everyone = `${others} admin`
const adminOnly = { [withoutSession]: '401', [others]: '404', admin: '200' }
const refused = { [withoutSession]: everywhere('401'), [others]: everywhere('404') }
const statement = 'What was written breaks the rules.'

const claims = (about: 'report' | 'photo' | 'verification' | 'appeal' | 'review', admin: string): Table => ({
  [`PUT /api/admin/claims/:kind/:id #${about}`]: {
    about,
    send: ({ id }) => ({ params: { kind: about, id } }),
    cells: { ...refused, admin },
  },
  [`DELETE /api/admin/claims/:kind/:id #${about}`]: {
    about,
    send: ({ id }) => ({ params: { kind: about, id } }),
    cells: { ...refused, admin: everywhere('200') },
  },
})

/**
 * Moderation by administrators, who can't decide about themselves; and what all people may see of it, even when
 * suspended.
 */
export const moderationTable: Table = {
  'GET /api/standing': {
    about: 'no one',
    send: () => ({}),
    cells: { [withoutSession]: '401', [everyone]: '200' },
  },
  'POST /api/appeals': {
    about: 'sanction',
    send: ({ id }) => ({ body: { sanctionId: id, text: 'I was somewhere else that day.' } }),
    cells: { [withoutSession]: everywhere('401'), [everyone]: '201 404 404 404 404 404 404' },
  },
  'GET /api/admin/appeals': { about: 'no one', send: () => ({}), cells: adminOnly },
  'POST /api/admin/appeals/:id/decision': {
    about: 'appeal',
    send: ({ id }) => ({ params: { id }, body: { outcome: 'reversed', answer: statement } }),
    cells: { ...refused, admin: '403 200 200 200 404 404 404' },
  },
  'POST /api/admin/sanctions/:id/lift': {
    about: 'sanction',
    send: ({ id }) => ({ params: { id }, body: { reason: statement } }),
    // A sanction of a deleted person is stored without its texts.
    cells: { ...refused, admin: '403 200 200 200 200 404 404' },
  },
  'POST /api/admin/reports/:receipt/decision': {
    about: 'report',
    send: ({ id }) => ({ params: { receipt: id }, body: { action: 'warn', ground: 'spam', statement } }),
    cells: { ...refused, admin: '403 200 200 200 200 404 404' },
  },
  'POST /api/admin/reports/:receipt/decision #dismiss': {
    about: 'report',
    send: ({ id }) => ({ params: { receipt: id }, body: { action: 'dismiss' } }),
    cells: { ...refused, admin: '403 200 200 200 200 404 404' },
  },
  'GET /api/admin/reviews': { about: 'no one', send: () => ({}), cells: adminOnly },
  'POST /api/admin/reviews/:id/decision': {
    about: 'review',
    send: ({ id }) => ({ params: { id }, body: { action: 'suspend', ground: 'spam', statement, days: 7 } }),
    cells: { ...refused, admin: '403 200 200 200 404 404 404' },
  },
  'GET /api/admin/dossiers/:userId': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id }, query: { reason: 'A report about them' } }),
    cells: { ...refused, admin: '403 200 200 200 404 404 404' },
  },
  'GET /api/admin/dossiers/:userId #no reason': {
    about: 'person',
    send: ({ id }) => ({ params: { userId: id } }),
    cells: { ...refused, admin: everywhere('400') },
  },
  'GET /api/admin/moderation/figures': { about: 'no one', send: () => ({}), cells: adminOnly },
  'GET /api/admin/audit': { about: 'no one', send: () => ({}), cells: adminOnly },
  'GET /api/admin/audit/chain': { about: 'no one', send: () => ({}), cells: adminOnly },
  'GET /api/admin/second-factor': { about: 'no one', send: () => ({}), cells: adminOnly },
  'POST /api/admin/second-factor': { about: 'no one', send: () => ({}), cells: adminOnly },
  'POST /api/admin/second-factor/confirm': {
    about: 'no one',
    send: () => ({ body: { code: '000000' } }),
    cells: { ...adminOnly, admin: '404' },
  },
  'POST /api/admin/second-factor/verify': {
    about: 'no one',
    send: () => ({ body: { code: '000000' } }),
    cells: { ...adminOnly, admin: '404' },
  },
  ...claims('report', '404 200 200 200 200 404 404'),
  ...claims('photo', '404 200 200 200 404 404 404'),
  ...claims('verification', '404 200 200 200 404 404 404'),
  ...claims('appeal', '404 200 200 200 404 404 404'),
  ...claims('review', '404 200 200 200 404 404 404'),
}
