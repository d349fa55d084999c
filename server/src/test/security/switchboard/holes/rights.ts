import { features, type Hole, platform } from '../hole.ts'

const erasure = `${features}/data-rights/erasure.test.ts`
const grace = 'asked again, keeps the first moment and mails nothing'
const trace = 'no table, no file and no line of the log holds a trace outside the ledger'

/** What is told, what is kept, and for how long. */
export const rightsHoles: Hole[] = [
  {
    name: 'erasing leaves files',
    opens: 'Find the photos of people who left.',
    changes: [
      {
        file: `${features}/data-rights/erasure.ts`,
        find: 'await removeWithCommit(tx, keysIn(await findFiles(tx.db, userId)))',
        replace: 'keysIn(await findFiles(tx.db, userId))',
      },
    ],
    caughtBy: [{ file: erasure, test: trace, stands: grace }],
  },
  {
    name: 'erasing leaves messages',
    opens: 'Read what people wrote who left.',
    changes: [
      {
        statement:
          'alter table conversations drop constraint conversations_user_lo_fkey, drop constraint conversations_user_hi_fkey',
      },
    ],
    caughtBy: [{ file: erasure, test: trace, stands: grace }],
  },
  {
    name: 'backup brings the erased back',
    opens: 'Find people who left in a restored Duet.',
    changes: [
      {
        file: `${features}/data-rights/replay.ts`,
        find: 'if (await eraseAccount(platform, userId)) again++',
        replace: 'if (userId === null) again++',
      },
    ],
    caughtBy: [
      {
        file: `${features}/data-rights/backup.test.ts`,
        test: 'is the same row for row, but for those who were erased since; sign-in works and photos open',
        stands: 'needs the passphrase it was sealed with',
      },
    ],
  },
  {
    name: 'faults tell where they are',
    opens: 'Read the inside of the server out of its error answers.',
    changes: [
      {
        file: `${platform}/http/problems.ts`,
        find: "return new AppError('internal', 'Something went wrong on our side.')",
        replace: "return new AppError('internal', String((error as Error).stack))",
      },
    ],
    caughtBy: [
      {
        file: 'server/src/app.test.ts',
        test: 'a problem answer says nothing of a fault of ours',
        stands: 'a problem answer tells which methods a path takes',
      },
    ],
  },
  {
    name: 'any script runs',
    opens: 'Run any script in the page, once there is a way to put one in.',
    changes: [
      { file: `${platform}/http/http.ts`, find: `"script-src 'self'"`, replace: `"script-src * 'unsafe-inline'"` },
    ],
    caughtBy: [
      {
        file: 'server/src/test/security/headers.test.ts',
        test: 'what every answer says to the browser a page',
        stands: 'what every answer says to the browser an answer',
      },
    ],
  },
]
