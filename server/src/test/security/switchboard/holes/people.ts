import { features, type Hole, platform, security } from '../hole.ts'

const safety = `${features}/safety/safety.test.ts`
const block = 'a block is silent and mutual, and ends everything immediately'
const waits = 'a block waits for a like between the two that is being stored, so that no match follows it'
const matrix = `${security}/authorization.test.ts`
const attachments = `${features}/conversations/attachments.test.ts`

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
        test: "history of other people's conversations is not found",
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
        test: 'user_online leaves out blocked people immediately, in both directions',
        stands: 'on connect, user_online lists online contacts',
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
        test: 'a block hides photos immediately, in both directions',
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
        test: 'nobody else sees an attachment, even with a URL of their own',
        stands: 'neither person sees an attachment after a block',
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
        test: 'incognito hides a person everywhere immediately, and turning it off brings them back',
        stands: "privacy is open by default, and keeps settings that aren't changed",
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
        test: 'a hidden presence stays hidden for people who start to talk later, and after a reconnect',
        stands: "privacy is open by default, and keeps settings that aren't changed",
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
        test: 'a profile shows others what is meant for them, and nothing else',
        stands: 'people can open their own profile as others see it',
      },
    ],
  },
]
