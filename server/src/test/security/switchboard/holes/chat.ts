import { features, type Hole, platform } from '../hole.ts'

const chat = `${features}/conversations`
const hidden = `${chat}/hidden-people.test.ts`
const clear = `${chat}/clear.test.ts`
const noted = 'that nothing stands between two people'
const first = 'is noted with the first message after both have written'
const released = 'what is held back and released comes back onto the list as it was'

/** Who is heard in chats, and how much one person can ask of everyone else. */
export const chatHoles: Hole[] = [
  {
    name: 'erasing people are heard',
    opens: 'Keep writing to people while one’s account is being erased and they can see nothing of one.',
    changes: [
      {
        function: 'refusals_to_write',
        find: "when a.erase_at is not null or a.standing in ('suspended', 'banned') then 'gone'",
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: hidden,
        test: 'someone who erases their account reaches no one from then on, and still reads what they have',
        stands: released,
      },
    ],
  },
  {
    name: 'unseen people are heard',
    opens: 'Come back after a ban and reach people live before a person has looked.',
    changes: [
      {
        function: 'append_messages',
        find: 'when held_from is not null or unheard then',
        replace: 'when held_from is not null then',
      },
    ],
    caughtBy: [
      {
        file: hidden,
        test: 'someone who is unseen until a person has looked sees their messages sent, and is heard once that is over',
        stands: released,
      },
    ],
  },
  {
    name: 'a block leaves what was noted',
    opens: 'Keep writing to someone who blocked one, in a conversation that went on until then.',
    changes: [{ function: 'touch_conversation', find: ', clear = false', replace: '' }],
    caughtBy: [{ file: clear, test: `${noted} is forgotten with: block`, stands: `${noted} ${first}` }],
  },
  {
    name: 'hiding leaves what was noted',
    opens: 'Keep writing to people while one’s account is being erased, or after a suspension.',
    changes: [{ function: 'person_changed', find: 'set clear = false, changed = case', replace: 'set changed = case' }],
    caughtBy: [{ file: clear, test: `${noted} is forgotten with: erasure`, stands: `${noted} ${first}` }],
  },
  {
    name: 'noted beside a block',
    opens: 'Write to someone who blocks one while the first messages are sent, from then on.',
    changes: [{ function: 'note_clear', find: ' for update of a skip locked', replace: '' }],
    caughtBy: [
      { file: clear, test: `${noted} is not noted while this is under way: block`, stands: `${noted} ${first}` },
    ],
  },
  {
    name: 'erased people stay listed',
    opens: 'Keep the words of someone erased on a device that was asleep.',
    changes: [
      {
        file: `${chat}/listing.ts`,
        find: '...(one.since === beginning && { listed: conversations.map(({ id }) => id) }),',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: `${chat}/syncing.test.ts`,
        test: 'a list names everyone in it to a device that asks for everything: erased accounts are in no row',
        stands: 'a list comes in parts, all of them before the acknowledgement',
      },
    ],
  },
  {
    name: 'searches run side by side',
    opens: 'Use up the database connections with searches from one account.',
    changes: [
      {
        file: `${chat}/search.ts`,
        find: 'platform.inOrder(',
        replace: '((_key: string, task: () => Promise<Found>) => task())(',
      },
    ],
    caughtBy: [
      {
        file: `${chat}/search.test.ts`,
        test: 'searching of one person asks the database once at a time, and gives up with a clear answer',
        stands: 'searching takes signs as they are',
      },
    ],
  },
  {
    name: 'quotes renew what quotes them',
    opens: 'Flood someone with events by editing one message that is quoted a thousand times.',
    changes: [
      {
        file: `${chat}/messages.queries.ts`,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source's own
        find: 'from bumped where conversation_id = ${pairId} and seq = ${seq}`',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: and so is this
        replace: 'from bumped where conversation_id = ${pairId} and (seq = ${seq} or reply_to = ${seq})`',
      },
    ],
    caughtBy: [
      {
        file: `${chat}/changes.test.ts`,
        test: 'answering a message any number of times leaves a change of it one event and one revision',
        stands: 'answering a message that is not there yet is sent without a quote',
      },
    ],
  },
  {
    name: 'socket guesses are free',
    opens: 'Watch ids over the socket to see who blocks, hides or leaves.',
    changes: [
      {
        file: `${features}/spam/probing.ts`,
        find: "if (error instanceof AppError && error.code === 'not_found') await noteMiss(connection.viewer.id)",
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: `${features}/spam/probing.test.ts`,
        test: 'guesses by a socket count like those by an address, and end in the same silence',
        stands: 'a person who guesses who is there is told nothing for an hour, while others are',
      },
    ],
  },
  {
    name: 'previews end in half an emoji',
    opens: 'Drop other people’s notifications with one message.',
    changes: [
      {
        file: `${chat}/absent.ts`,
        find: 'cutText(text, previewLength)',
        replace: 'text.slice(0, previewLength)',
      },
    ],
    caughtBy: [
      {
        file: `${chat}/told.test.ts`,
        test: 'what a person who is away was told of a message quotes no half emoji, and is told even if it cannot be told to someone else in the same batch',
        stands: 'what a person who is away was told of a message quotes it as it was changed',
      },
    ],
  },
  {
    name: 'one locked conversation fails its batch',
    opens: 'Hold up everyone’s messages by holding one conversation.',
    changes: [
      { file: `${platform}/database/database-faults.ts`, find: ' && answer !== others', replace: '' },
      { file: `${chat}/locked.ts`, find: 'if (isLocked(error)) beWary()', replace: '' },
    ],
    caughtBy: [
      {
        file: `${chat}/batches.test.ts`,
        test: 'a conversation that something else has locked fails alone: who writes elsewhere is kept, in the same batch and in all that follow',
        stands: 'repeats of an old message do not bring a conversation back onto a list',
      },
    ],
  },
]
