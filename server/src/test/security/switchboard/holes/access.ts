import { features, type Hole, platform, security } from '../hole.ts'

const matrix = `${security}/authorization.test.ts`

export const accessHoles: Hole[] = [
  {
    name: 'any session ended',
    opens: 'Sign other people out.',
    changes: [
      {
        file: `${features}/accounts/sessions.queries.ts`,
        find: ".where('user_id', '=', userId)\n    .where(sql<string>`id::text`",
        replace: '.where(sql<string>`id::text`',
      },
    ],
    caughtBy: [
      {
        file: matrix,
        test: 'every endpoint answers every role as the table says DELETE /api/user/sessions/:id',
        stands: 'every endpoint answers every role as the table says GET /api/user/sessions',
      },
    ],
  },
  {
    name: 'administrators are not asked for',
    opens: 'Use the console of the administrators without being one.',
    changes: [
      {
        file: `${platform}/security/policy.ts`,
        find: "if (rule.access === 'admin' && !viewer.isSuperAdmin) throw notFound()",
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: matrix,
        test: 'every endpoint answers every role as the table says GET /api/admin/people',
        stands: 'every endpoint answers every role as the table says GET /api/blocks',
      },
    ],
  },
  {
    name: 'application makes administrators',
    opens: 'Become an administrator through any mistake in a statement of the application.',
    changes: [{ statement: 'grant update (is_super_admin) on accounts to duet_app' }],
    caughtBy: [
      {
        file: `${features}/accounts/sessions.test.ts`,
        test: "the application's role can't create an administrator",
        stands: "the owner's role creates an administrator, which the next sign-in and profile show",
      },
    ],
  },
  {
    name: 'body written as it comes',
    opens: 'Give oneself the badge of the verified, by sending a field that no form has.',
    changes: [
      {
        file: 'contract/src/profiles.ts',
        find: '.strictObject({\n    name: Name,',
        replace: '.looseObject({\n    name: Name,',
      },
      {
        file: `${features}/profiles/profiles.queries.ts`,
        find: '  const set = {\n',
        replace: '  const { images: _, ...set } = {\n    ...changes,\n',
      },
    ],
    caughtBy: [
      {
        file: `${features}/verification/review.test.ts`,
        test: "people can't set the badge themselves",
        stands: 'the queue leaves out rejected photos',
      },
    ],
  },
  {
    name: 'suspended people pass',
    opens: 'Go on as before after a suspension or a ban.',
    changes: [
      {
        file: `${platform}/security/policy.ts`,
        find: "if (worst !== 'suspended' && isWorse(viewer.standing, worst)) {",
        replace: 'if (viewer.standing === undefined) {',
      },
    ],
    caughtBy: [
      {
        file: `${features}/accounts/standing.test.ts`,
        test: 'someone suspended can only use what every account may',
        stands: 'someone restricted may answer people who write to them',
      },
    ],
  },
  {
    name: 'restricted people begin conversations',
    opens: 'Write to strangers while restricted for doing so.',
    changes: [{ function: 'refusals_to_write', find: "a.standing <> 'good'", replace: 'false' }],
    caughtBy: [
      {
        file: `${features}/accounts/standing.test.ts`,
        test: 'someone restricted can start nothing new, but continue what exists',
        stands: 'someone restricted may answer people who write to them',
      },
    ],
  },
  {
    name: 'freshness is not asked for',
    opens: 'Delete an account with a phone that was left unlocked.',
    changes: [
      {
        file: `${platform}/security/policy.ts`,
        find: 'if (rule.fresh && freshUntil(viewer.authenticatedAt) <= now) throw stale()',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: `${features}/data-rights/erasure.test.ts`,
        test: 'Requesting erasure needs a sign-in within the last ten minutes; cancelling doesn’t.',
        stands: 'A second erasure request keeps the first date and sends no email.',
      },
    ],
  },
  {
    name: 'second factor is not asked for',
    opens: 'Use the console with nothing but the mail account of an administrator.',
    changes: [
      {
        file: `${platform}/security/policy.ts`,
        find: "if (rule.access === 'admin' && !rule.beforeSecondFactor && !viewer.secondFactor) throw unproven()",
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: `${features}/second-factor/second-factor.test.ts`,
        test: 'Before setting up a second factor, an administrator can do nothing else.',
        stands: 'To everyone else, the second factor is not found.',
      },
    ],
  },
  {
    name: 'restart undoes a revocation',
    opens: 'Be an administrator again with the next restart, after the rights were taken back.',
    changes: [
      {
        file: `${features}/moderation/rights.ts`,
        find: 'if (!(await wereRevoked(tx.db, email)))',
        replace: "if (!(await wereRevoked(tx.db, '')))",
      },
    ],
    caughtBy: [
      {
        file: `${features}/moderation/rights.test.ts`,
        test: "the person named in the configuration becomes an administrator, is recorded, and isn't made one again after a revocation",
        stands: 'a named person without an account becomes an administrator by signing up, and nobody else does',
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
        test: 'A login with the owner’s rights is refused.',
        stands: 'A new login is refused with the statements to run, and they suffice.',
      },
    ],
  },
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
        file: 'server/src/config.test.ts',
        test: 'By default the demo is on only if Duet is reachable from this machine alone',
        stands: 'Production needs a secret key of at least 32 bytes',
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
