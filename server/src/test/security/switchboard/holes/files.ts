import { features, type Hole, platform, security } from '../hole.ts'

const filesTest = `${features}/data-rights/files.test.ts`
const exporting = `${features}/data-rights/export.test.ts`
const photos = `${features}/photos/photos.test.ts`
const retention = `${features}/data-rights/retention.test.ts`
const restore = `${features}/data-rights/restore.test.ts`

/** Files and backups: what comes back, what stays, and what an address opens. */
export const filesHoles: Hole[] = [
  {
    name: 'restore forgets who asked to be erased',
    opens: 'See people again who asked to be erased, or erase those who changed their minds.',
    changes: [
      {
        file: `${features}/data-rights/replay.ts`,
        find: 'lastOf(entries).filter(isNews)',
        replace: 'lastOf(entries).filter(() => false)',
      },
    ],
    caughtBy: [
      {
        file: restore,
        test: 'a person who asked to be erased since the backup is hidden, and goes on the day they were told',
        stands: 'a person who was erased since the backup is gone',
      },
      {
        file: restore,
        test: 'a person who decided to stay since the backup stays, and is seen',
        stands: 'a person who was erased since the backup is gone',
      },
    ],
  },
  {
    name: 'restore erases at once',
    opens: 'Lose an account for good, because a backup was restored.',
    changes: [
      {
        file: `${features}/data-rights/replay.ts`,
        find: 'await postponeErasures(platform.db, earliest)',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: restore,
        test: 'no one is erased sooner than a day later, and everyone can cancel until then',
        stands: 'a person who was erased since the backup is gone',
      },
    ],
  },
  {
    name: 'restore revives sessions',
    opens: 'Use a stolen phone again that its owner signed out, once a backup was restored.',
    changes: [
      {
        file: `${platform}/database/restore.ts`,
        find: "['sessions', 'sign_in_codes', 'address_changes', 'identity_proofs', 'data_exports']",
        replace: "['data_exports']",
      },
    ],
    caughtBy: [
      {
        file: restore,
        test: 'a token from before is of no use, whether its session was ended since or not',
        stands: 'a person who was erased since the backup is gone',
      },
    ],
  },
  {
    name: 'files are forgotten when the store is away',
    opens: 'Find the files of deleted photos in the store, long after.',
    changes: [
      {
        file: `${platform}/storage/file-removal.ts`,
        find: '(key, since) select key, ',
        replace: "(key, since) select key || '-', ",
      },
    ],
    caughtBy: [
      {
        file: filesTest,
        test: 'that is deleted while the store is away is gone for everyone, and its files once the store is back',
        stands: 'removes what was never finished',
      },
    ],
  },
  {
    name: 'files without rows stay',
    opens: 'Find pictures and exports in the store that nothing in Duet knows of.',
    changes: [
      {
        file: `${features}/data-rights/file-sweep.ts`,
        find: 'shuffleByChance(unnamed)',
        replace: 'shuffleByChance(unnamed.slice(0, 0))',
      },
    ],
    caughtBy: [
      {
        file: filesTest,
        test: 'removes what no row names after a day, and nothing that one does',
        stands: 'removes what was never finished',
      },
    ],
  },
  {
    name: 'photo of an appeal is deleted',
    opens: 'Lose a photo for good to a decision that is reversed later.',
    changes: [
      {
        file: `${features}/data-rights/retention.queries.ts`,
        find: "s.item ->> 'fileName' = p.file_name and s.lifted_at is null",
        replace: 'false',
      },
    ],
    caughtBy: [
      {
        file: retention,
        test: 'a photo that a decision took down stays for as long as that can be appealed, and while an appeal waits',
        stands: 'a refused photo is gone after 30 days, row and file; others stay',
      },
    ],
  },
  {
    name: 'export is handed to any session',
    opens: 'Take everything there is of a person from a phone that was left unlocked.',
    changes: [
      {
        file: `${features}/data-rights/export.ts`,
        find: 'freshUntil(viewer.authenticatedAt) > now ?',
        replace: 'freshUntil(now) > now ?',
      },
    ],
    caughtBy: [
      {
        file: exporting,
        test: 'gives its address to those alone who have just proved who they are, for ten minutes',
        stands: 'gives an address that dies with the session it was given to',
      },
    ],
  },
  {
    name: 'address of an export outlives its session',
    opens: 'Fetch an export with an address from a device that was signed out.',
    changes: [
      { file: `${features}/data-rights/export.queries.ts`, find: ".where('sessions.id', '=', sessionId)", replace: '' },
    ],
    caughtBy: [
      {
        file: exporting,
        test: 'gives an address that dies with the session it was given to',
        stands: 'gives its address to those alone who have just proved who they are, for ten minutes',
      },
    ],
  },
  {
    name: 'addresses outlive signing out everywhere',
    opens: 'Look at photos with addresses from a device that was signed out.',
    changes: [{ function: 'is_signed_in', find: 'user_id = p_user', replace: 'user_id is not null' }],
    caughtBy: [
      {
        file: photos,
        test: 'an address opens nothing once its viewer has signed out everywhere',
        stands: 'a removed photo is gone for everyone, with its files',
      },
    ],
  },
  {
    name: 'reset of the second factor leaves sessions',
    opens: 'Go on as an administrator with a stolen device, once its owner had the second factor reset.',
    changes: [
      {
        file: `${features}/second-factor/second-factor.queries.ts`,
        find: "if (userId) await db.deleteFrom('sessions').where('user_id', '=', userId).execute()",
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: `${security}/after.test.ts`,
        test: 'is dead or lives as the table says, after: loss of the second factor',
        stands: 'is dead or lives as the table says, after: unmatch',
      },
    ],
  },
]
