import { features, type Hole, platform } from '../hole.ts'

const push = `${features}/push/push.test.ts`
const webPush = `${platform}/web-push.test.ts`
const reaches = 'A message to an offline person reaches their browser, and nobody else can read or forge it.'
const named = 'A push host on a private network works if the operator lists it'
const between = 'Nothing is pushed when, between the message and the push'

export const pushHoles: Hole[] = [
  {
    name: 'push into a private network by name',
    opens: 'Have the server call a machine in its own network, by a push address whose name leads there.',
    changes: [{ file: `${platform}/web-push.ts`, find: "range() === 'unicast'", replace: "range() !== ''" }],
    caughtBy: [{ file: webPush, test: 'The address 10.1.2.3 is not public', stands: named }],
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
      { file: push, test: `${between}, they were suspended.`, stands: reaches },
      { file: push, test: `${between}, they muted the conversation.`, stands: reaches },
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
        test: 'By default a lock screen shows nothing, and all pushes have the same length.',
        stands: reaches,
      },
    ],
  },
]
