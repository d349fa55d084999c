import { type Hole, platform } from '../hole.ts'

const config = 'server/src/config.test.ts'
const claims = `${platform}/process/data-dir.test.ts`
const source = 'server/src/database-source'

/** What a start, a second start and a command may touch. */
export const startHoles: Hole[] = [
  {
    name: 'public demo by default',
    opens: "Read everyone's sign-in codes at /dev/mail of a public Duet.",
    changes: [
      {
        file: 'server/src/config.ts',
        find: "data.NODE_ENV !== 'production' && !isOpenToOthers(data)",
        replace: "data.NODE_ENV !== 'production'",
      },
    ],
    caughtBy: [
      {
        file: config,
        test: 'shows the demo world to this machine only, unless told',
        stands: 'needs a secret key of 32 bytes in production',
      },
    ],
  },
  {
    name: 'second container on a live database',
    opens: 'Destroy the database by starting a second container on its folder.',
    changes: [
      { file: `${platform}/database/postgres-cluster.ts`, find: '  await requireNoneElsewhere(folder)\n', replace: '' },
    ],
    caughtBy: [
      {
        file: claims,
        test: 'a socket that answers is respected, though no process of its database can be seen',
        stands: 'a claim that was written without its place counts as one of this machine',
      },
    ],
  },
  {
    name: 'claims end at the container',
    opens: 'Take the data directory of a Duet in another container.',
    changes: [
      {
        file: `${platform}/process/data-dir.ts`,
        find: 'return isOver ? undefined : { ...claim, isElsewhere: true }',
        replace: 'return isOver ? undefined : undefined',
      },
    ],
    caughtBy: [
      {
        file: `${platform}/database/containers.test.ts`,
        test: 'that lies in the future, since the clock was put back, is over when it is not renewed',
        stands: 'that is old, or from before the machine started anew, is over at once',
      },
    ],
  },
  {
    name: 'commands migrate',
    opens: 'Change the schema under a running Duet with a backup, and leave no way back.',
    changes: [
      {
        file: `${source}.ts`,
        find: 'if ((await requireOurSchema(owner)).isNew) throw noDuet(config)',
        replace: 'await migrate(owner)',
      },
    ],
    caughtBy: [
      {
        file: `${source}.test.ts`,
        test: 'a command refuses an older schema in one line, and does not change it',
        stands: 'a command takes the newest schema as it is',
      },
    ],
  },
]
