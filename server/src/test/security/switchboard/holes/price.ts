import { features, type Hole, platform, security } from '../hole.ts'

const decoders = `${platform}/storage/decoders.test.ts`
const budgets = `${security}/request-budgets.test.ts`
const flood = `${security}/flood.test.ts`
const hostileFiles = `${security}/hostile-files.test.ts`

/** What one person or one network may cost everyone else. */
export const priceHoles: Hole[] = [
  {
    name: 'scans are not counted',
    opens: 'Keep the server busy for a minute with a small photo that has thousands of scans.',
    changes: [
      { file: `${features}/photos/develop.ts`, find: 'if (countScans(bytes) > mostScans)', replace: 'if (false)' },
    ],
    caughtBy: [
      {
        file: hostileFiles,
        test: 'is refused wherever a photo can be sent, with a reason',
        stands: 'an ordinary one of few scans is taken',
      },
    ],
  },
  {
    name: 'slow file is never given up',
    opens: 'Keep everyone else from sending photos, with files that never finish decoding.',
    changes: [{ file: `${platform}/storage/decoder.ts`, find: '      giveUp()\n', replace: '' }],
    caughtBy: [
      {
        file: decoders,
        test: 'is given up, and its process killed, whatever the library is doing',
        stands: 'of an ordinary program has few scans',
      },
    ],
  },
  {
    name: 'one person takes every decoder',
    opens: 'Keep everyone else from sending photos by sending many at once.',
    changes: [
      {
        file: `${platform}/storage/decoders.ts`,
        find: 'return inOrder(personId, () =>',
        replace: 'return inOrder(String(Math.random()), () =>',
      },
    ],
    caughtBy: [
      {
        file: decoders,
        test: 'takes the place of one person alone: others overtake what they wait for',
        stands: 'of an ordinary program has few scans',
      },
    ],
  },
  {
    name: 'requests are not counted',
    opens: 'Read without end, with one account, until the database serves no one else.',
    changes: [
      { file: `${platform}/http/request-budgets.ts`, find: 'requireSome(people.spend(viewer.id))', replace: '' },
    ],
    caughtBy: [
      {
        file: budgets,
        test: 'of one person who asks without end are refused, with how long to wait; those of others are not',
        stands: 'that never sign in use up the share of their network, not that of everyone',
      },
    ],
  },
  {
    name: 'guesses of tokens are not counted',
    opens: 'Have the database look up as many made-up tokens as one can send.',
    changes: [
      {
        file: `${platform}/http/request-budgets.ts`,
        find: 'if (isStranger) requireSome(networks.spend(network))',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: budgets,
        test: 'of strangers use up what their network may ask, and nothing of those who are signed in behind it',
        stands: 'of one person who asks without end are refused, with how long to wait; those of others are not',
      },
    ],
  },
  {
    name: 'one network uses up every handshake',
    opens: 'Keep everyone from coming online with a loop that opens connections and never signs in.',
    changes: [
      {
        file: `${platform}/realtime/handshakes.ts`,
        find: '!refusing && ofNetwork.spend(networkOfRequest(request)) === 0 &&',
        replace: '!refusing &&',
      },
    ],
    caughtBy: [
      {
        file: budgets,
        test: 'that never sign in use up the share of their network, not that of everyone',
        stands: 'of one person who asks without end are refused, with how long to wait; those of others are not',
      },
    ],
  },
  {
    name: 'what is no event is not counted',
    opens: 'Keep a process busy with packets that no limit of events counts, by a connection that never signs in.',
    changes: [
      {
        file: `${platform}/realtime/socket-server.ts`,
        find: "if (budget.spend() > 0) cut(conn, 'flood')",
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: flood,
        test: 'is cut off when it goes on and on: knocks of no one at other doors',
        stands: 'while some send frames that mean nothing, or are too large',
      },
    ],
  },
]
