import { features, type Hole, platform } from '../hole.ts'

const restore = `${features}/data-rights/restore.test.ts`
const erasure = `${features}/data-rights/erasure.test.ts`
const grace = 'A second erasure request keeps the first date and sends no email.'
const trace = 'After the erasure, no table, file or log line holds a trace outside the ledger.'

/** Vulnerabilities in erasure, backups, exports and shared dates. */
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
        test: 'a restored backup matches row for row, without people who were erased since; sign-in works and photos open',
        stands: 'a sealed backup opens only with its passphrase',
      },
    ],
  },
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
        test: 'a person who asked for erasure after the backup is hidden, and will be erased on the day they were told',
        stands: 'a person who was erased after the backup is gone',
      },
      {
        file: restore,
        test: 'a person who cancelled their erasure after the backup stays, and is seen',
        stands: 'a person who was erased after the backup is gone',
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
        test: "tokens from before the restore don't work, whether their session had ended or not",
        stands: 'a person who was erased after the backup is gone',
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
        file: `${features}/data-rights/export.test.ts`,
        test: 'the download URL is given only to someone who has just proved who they are, and works for ten minutes',
        stands: 'a download URL stops working when the session it was given to ends',
      },
    ],
  },
  {
    name: 'addresses outlive signing out everywhere',
    opens: 'Look at photos with addresses from a device that was signed out.',
    changes: [{ function: 'is_signed_in', find: 'user_id = p_user', replace: 'user_id is not null' }],
    caughtBy: [
      {
        file: `${features}/photos/photos.test.ts`,
        test: "a photo's URL stops working once its viewer has signed out everywhere",
        stands: 'a removed photo is gone for everyone, with its files',
      },
    ],
  },
  {
    name: 'erasing mutes a check-in',
    opens: 'Make someone delete their account, so that no alarm is raised when they do not come back.',
    changes: [
      {
        file: `${features}/dates/dates.queries.ts`,
        find: 'from profiles p join accounts a on a.id = p.user_id',
        replace: 'from profiles p join accounts a on a.id = p.user_id and a.erase_at is null',
      },
    ],
    caughtBy: [
      {
        file: `${features}/dates/date-watch.test.ts`,
        test: 'a check-in continues while an account is waiting for erasure',
        stands: "a contact who can't be emailed doesn't hold up other people's contacts",
      },
    ],
  },
]
