import { type Hole, platform } from '../hole.ts'

const outages = 'server/src/test/database-outages.test.ts'

/** What the application may do in the database. */
export const databaseHoles: Hole[] = [
  {
    name: 'pooler drops the role',
    opens: 'Work as the owner of the database, through a pooler that ignores the options of connections.',
    changes: [
      {
        file: `${platform}/database/database.ts`,
        find: 'if (!hasRole || found?.statement !== terms.statement)',
        replace: 'if (rows.length === 0)',
      },
    ],
    caughtBy: [
      {
        file: outages,
        test: 'behind a pooler that drops the options of connections, Duet does not start: it would work as the owner',
        stands:
          'a statement that was prepared before a migration changed its result is answered retry, and then prepared anew',
      },
    ],
  },
  {
    name: 'the login may change tables',
    opens: 'Make administrators, with the password that the application itself connects with.',
    changes: [
      {
        file: `${platform}/database/database.ts`,
        find: 'if (owns)',
        replace: 'if (owns && role === undefined)',
      },
    ],
    caughtBy: [
      {
        file: 'server/src/test/pgbouncer.test.ts',
        test: 'is refused where it may do what the owner may',
        stands: 'is refused with what has to be run, which is enough',
      },
    ],
  },
]
