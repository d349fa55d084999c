import { features, type Hole, platform, security } from '../hole.ts'

const matrix = `${security}/authorization.test.ts`

/** Whose thing it is, and what a caller has to be. */
export const accessHoles: Hole[] = [
  {
    name: 'any photo deleted',
    opens: 'Delete the photos of other people.',
    changes: [
      {
        file: `${features}/photos/photos.queries.ts`,
        find: ".deleteFrom('photos')\n    .where('user_id', '=', ownerId)",
        replace: ".deleteFrom('photos')",
      },
    ],
    caughtBy: [
      {
        file: matrix,
        test: 'every endpoint answers every role as the table says PATCH /api/user/deleteImage',
        stands: 'every endpoint answers every role as the table says PATCH /api/photos/:fileName',
      },
    ],
  },
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
    name: 'any notification read',
    opens: 'Read what other people are notified of.',
    changes: [
      {
        file: `${features}/notifications/notifications.queries.ts`,
        find: ".where('user_id', '=', userId)\n    .where('id', '=', id)",
        replace: ".where('id', '=', id)",
      },
    ],
    caughtBy: [
      {
        file: `${features}/notifications/notifications.test.ts`,
        test: 'of someone else, unknown and malformed ones are the same 404',
        stands: 'come newest first with everything an item shows',
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
        test: 'an administrator cannot be made by the application role',
        stands: 'an administrator is made by the owner, and the next sign-in and profile say so',
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
        test: 'cannot be written by a person themselves',
        stands: 'leaves out photos that were rejected',
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
        file: matrix,
        test: 'every endpoint answers every role as the table says GET /api/deck',
        stands: 'every endpoint answers every role as the table says GET /api/matching',
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
        test: 'begins nothing new, and goes on with what there is',
        stands: 'may answer people who write to them',
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
        test: 'needs a sign-in of the last ten minutes, undoing needs none',
        stands: 'asked again, keeps the first moment and mails nothing',
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
        test: 'nothing of an administrator works before the second factor, but setting it up',
        stands: 'to everyone else it looks missing',
      },
    ],
  },
]
