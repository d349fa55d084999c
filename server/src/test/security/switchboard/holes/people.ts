import { features, type Hole, platform, security } from '../hole.ts'

const safety = `${features}/safety/safety.test.ts`
const block = 'a block is silent, mutual, and ends everything at once'
const waits = 'a block waits for a like of the two that is being kept, so that no match follows it'
const matrix = `${security}/authorization.test.ts`
const attachments = `${features}/conversations/attachments.test.ts`

/** Visibility between people, and what they say to each other. */
export const peopleHoles: Hole[] = [
  {
    name: 'any history',
    opens: 'Read the conversations of other people (what Feeld had in 2024).',
    changes: [
      {
        file: `${features}/conversations/conversations.queries.ts`,
        find: 'where m.user_id = asked.viewer_id and ',
        replace: 'where ',
      },
      {
        file: `${features}/conversations/conversations.queries.ts`,
        find: 'sql`m.conversation_id = conversation_id(',
        replace: 'sql`m.peer_id in (',
      },
    ],
    caughtBy: [
      {
        file: `${features}/conversations/history.test.ts`,
        test: 'of other people is not there',
        stands: 'people without a match cannot write to each other',
      },
    ],
  },
  {
    name: 'sender is believed',
    opens: 'Write in another person’s name.',
    changes: [
      {
        file: `${features}/conversations/conversations.sockets.ts`,
        find: 'if (outgoing.senderId !== connection.viewer.id) throw forbidden()',
        replace: '',
      },
      {
        file: `${features}/conversations/conversations.sockets.ts`,
        find: 'sending.sendMessage(connection.viewer.id, outgoing, connection)',
        replace: 'sending.sendMessage(outgoing.senderId, outgoing, connection)',
      },
    ],
    caughtBy: [
      {
        file: matrix,
        test: 'every request of a socket is acknowledged to every role as the table says send_message #forged',
        stands: 'every request of a socket is acknowledged to every role as the table says mark_as_read #forged',
      },
    ],
  },
  {
    name: 'block leaves the history',
    opens: 'Read on, and be read, after a block.',
    changes: [
      {
        file: `${features}/conversations/conversations.queries.ts`,
        find: 's.ended_at is null and mine.blocker_id is null and theirs.blocker_id is null',
        replace: 's.ended_at is null',
      },
    ],
    caughtBy: [{ file: safety, test: block, stands: waits }],
  },
  {
    name: 'block leaves the page',
    opens: 'Look at the page of someone who blocked one.',
    changes: [
      {
        file: `${features}/profiles/cards.queries.ts`,
        find: "refused.refusal is distinct from 'not_found'",
        replace: "refused.refusal is distinct from 'not_found' or is_blocked($1, p.user_id)",
      },
    ],
    caughtBy: [{ file: safety, test: block, stands: waits }],
  },
  {
    name: 'block leaves messages open',
    opens: 'Write to someone who blocked one.',
    changes: [
      {
        function: 'refusals_to_write',
        find: 'or mine.blocker_id is not null or theirs.blocker_id is not null',
        replace: '',
      },
    ],
    caughtBy: [{ file: safety, test: block, stands: waits }],
  },
  {
    name: 'block leaves presence',
    opens: 'See when someone who blocked one is online.',
    changes: [
      {
        file: `${features}/presence/contacts.ts`,
        find: '      note(a, b)\n      forget(a, b)\n      forget(b, a)\n',
        replace: '      note(a, b)\n',
      },
      {
        file: `${features}/presence/presence.queries.ts`,
        find: 'and not exists (select from blocks where (blocker_id, blocked_id) in ((me.user_id, me.peer_id), (me.peer_id, me.user_id)))',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: `${features}/presence/presence.test.ts`,
        test: 'leaves out the blocked, from the moment of the block and in both directions',
        stands: 'lists the online people one talks to, on connect',
      },
    ],
  },
  {
    name: 'block leaves photos',
    opens: 'Fetch the photos of someone who blocked one, by addresses from before.',
    changes: [{ function: 'may_see', find: 'not is_blocked(viewer, person)', replace: 'true' }],
    caughtBy: [
      {
        file: `${features}/photos/photos.test.ts`,
        test: 'a block hides photos at once, in both directions',
        stands: 'a removed photo is gone for everyone, with its files',
      },
    ],
  },
  {
    name: 'hidden people are shown',
    opens: 'Look at people who are suspended, banned or about to be erased.',
    changes: [{ function: 'is_visible_to', find: 'not p.hidden and', replace: 'true and' }],
    caughtBy: [
      {
        file: matrix,
        test: 'every endpoint answers every role as the table says GET /api/user/:id',
        stands: 'every endpoint answers every role as the table says GET /api/blocks',
      },
    ],
  },
  {
    name: 'any attachment',
    opens: 'Open photos and voice notes that others sent each other.',
    changes: [
      { file: `${features}/conversations/attachments.queries.ts`, find: 'else false end', replace: 'else true end' },
    ],
    caughtBy: [
      {
        file: attachments,
        test: 'no one else, whatever their address',
        stands: 'neither of two once one has blocked the other',
      },
    ],
  },
  {
    name: 'incognito people are shown',
    opens: 'Look at people who show themselves only to the people they liked.',
    changes: [
      { function: 'is_open_to', find: 'not p.incognito or known', replace: 'true' },
      { function: 'shows_to', find: 'select person = viewer', replace: 'select true' },
    ],
    caughtBy: [
      {
        file: `${features}/safety/privacy.test.ts`,
        test: 'incognito takes a person out of everything at once, and brings them back',
        stands: 'privacy is open until someone changes it, and keeps what is not changed',
      },
    ],
  },
  {
    name: 'hidden presence is told',
    opens: 'See when a person is online who hides their presence.',
    changes: [
      {
        file: `${features}/presence/presence.queries.ts`,
        find: 'where user_id = me.user_id and not hide_presence',
        replace: 'where user_id = me.user_id',
      },
      {
        file: `${features}/presence/presence.queries.ts`,
        find: 'where user_id = me.peer_id and not hide_presence',
        replace: 'where user_id = me.peer_id',
      },
      {
        file: `${features}/presence/presence.queries.ts`,
        find: 'and (hide_presence or incognito)',
        replace: 'and incognito',
      },
    ],
    caughtBy: [
      {
        file: `${features}/safety/privacy.test.ts`,
        test: 'stays hidden for those who begin to talk to them later, and when they come back',
        stands: 'privacy is open until someone changes it, and keeps what is not changed',
      },
    ],
  },
  {
    name: 'page says everything of its row',
    opens: 'Read birth dates, and whatever else a row has, from the pages of others (what Bumble had in 2020).',
    changes: [
      {
        file: `${features}/profiles/cards.ts`,
        find: '  return {\n    id: row.id,\n    name: row.name,\n    age,\n    images: photos',
        replace: '  return {\n    ...row,\n    id: row.id,\n    name: row.name,\n    age,\n    images: photos',
      },
      {
        file: `${platform}/http/http.ts`,
        find: 'app.setSerializerCompiler(serializeAnswers)',
        replace: 'app.setSerializerCompiler(() => (value) => JSON.stringify(value))',
      },
    ],
    caughtBy: [
      {
        file: `${features}/profiles/profiles.test.ts`,
        test: 'shows what is for others and nothing else',
        stands: 'is one’s own page as others see it, too',
      },
    ],
  },
]
