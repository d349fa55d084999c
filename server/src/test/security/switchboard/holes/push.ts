import { features, type Hole, platform, security } from '../hole.ts'

const push = `${features}/push/push.test.ts`
const webPush = `${platform}/web-push.test.ts`
const reaches = 'a message to someone who is away reaches the browser of theirs, and no one else can read or fake it'
const named = 'the private network of an operator is pushed to where they name it'
const between = 'nothing is pushed when, between the message and the push'

/** What leaves the app for people's devices. */
export const pushHoles: Hole[] = [
  {
    name: 'push by address',
    opens: 'Have the server call a machine in its own network, as the push service of a browser.',
    changes: [{ file: `${platform}/web-push.ts`, find: '|| isIP(hostname) !== 0', replace: '' }],
    caughtBy: [{ file: webPush, test: 'https://10.0.0.1/1 is no address to push to', stands: named }],
  },
  {
    name: 'push into a private network by name',
    opens: 'Do the same by a name of one’s own that leads there.',
    changes: [{ file: `${platform}/web-push.ts`, find: "range() === 'unicast'", replace: "range() !== ''" }],
    caughtBy: [{ file: webPush, test: '10.1.2.3 is no public address', stands: named }],
  },
  {
    name: 'push without a look',
    opens: 'Read the messages of someone who has blocked the sender or was suspended, on their lock screen.',
    changes: [
      {
        file: `${features}/notifications/notifications.queries.ts`,
        find: 'and pushed_at is null`)} and ${isListening}`',
        replace: 'and pushed_at is null`)}`',
      },
    ],
    caughtBy: [
      { file: push, test: `${between}, they were suspended`, stands: reaches },
      { file: push, test: `${between}, they muted the conversation`, stands: reaches },
    ],
  },
  {
    name: 'push twice',
    opens: 'Wake someone as often as there are nodes.',
    changes: [
      {
        file: `${features}/push/push.ts`,
        find: '|| !(await takeToTell(platform, id))',
        replace: '|| !((await takeToTell(platform, id)) || told)',
      },
    ],
    caughtBy: [
      {
        file: push,
        test: 'what is not read yet is pushed once, however much follows, and again after it was read',
        stands: reaches,
      },
    ],
  },
  {
    name: 'any device taken off',
    opens: 'End the notifications of other people.',
    changes: [
      {
        file: `${features}/push/push.queries.ts`,
        find: ".deleteFrom('push_subscriptions')\n    .where('user_id', '=', userId)",
        replace: ".deleteFrom('push_subscriptions')",
      },
    ],
    caughtBy: [
      {
        file: `${security}/authorization.test.ts`,
        test: 'every endpoint answers every role as the table says DELETE /api/push/devices/:id',
        stands: 'every endpoint answers every role as the table says GET /api/push',
      },
    ],
  },
  {
    name: 'lock screens tell everything',
    opens: 'Read on a locked phone who is on Duet, and what they are written.',
    changes: [
      {
        file: `${features}/push/push.ts`,
        find: "if (lockScreen === 'nothing')",
        replace: "if (lockScreen === ('' as string))",
      },
    ],
    caughtBy: [
      {
        file: push,
        test: 'at first a locked screen tells nothing, and a push is as long as any other',
        stands: reaches,
      },
    ],
  },
]
