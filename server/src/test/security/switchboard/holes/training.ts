import { features, type Hole } from '../hole.ts'

const stands = 'trains in one process at a time'
const night = `${features}/matching/train-model.test.ts`

/** What ranking may learn from. */
export const trainingHoles: Hole[] = [
  {
    name: 'a list of interests buys reach',
    opens: 'Pick the interests whose people are liked most, and be shown first without anyone having liked you.',
    changes: [
      {
        file: `${features}/matching/beliefs.ts`,
        find: 'return Math.max(-constants.expectedMost, Math.min(constants.expectedMost, sum))',
        replace: 'return sum',
      },
    ],
    caughtBy: [
      {
        file: `${features}/matching/beliefs.test.ts`,
        test: 'adds up over interests in both masks, within its bound',
        stands: 'is kept by the names of interests',
      },
    ],
  },
  {
    name: 'learning catches up on what was off',
    opens: 'Switch learning on again, and have it learn from what was decided while it was off.',
    changes: [{ statement: 'drop trigger learning_begins on profiles' }],
    caughtBy: [
      {
        file: night,
        test: 'learns nothing from what was decided while someone had switched it off, or before a reset',
        stands,
      },
    ],
  },
  {
    name: 'a reset is overwritten by training',
    opens: 'Reset what was learned while the nightly training is under way, and find it there again.',
    changes: [
      {
        file: `${features}/matching/put-effects.ts`,
        find: 'return unchanged.has(row.user_id) ? ',
        replace: 'return row.user_id ? ',
      },
    ],
    caughtBy: [{ file: night, test: 'leaves those as they are who start afresh while it trains', stands }],
  },
  {
    name: 'other nodes remember after a reset',
    opens: 'Reset what was learned, and have what was queued before it learned after all.',
    changes: [
      {
        file: `${features}/matching/learning.queries.ts`,
        find: "h.at >= coalesce(greatest(one.learns_since, other.learns_since), '-infinity') and exists",
        replace: 'exists',
      },
    ],
    caughtBy: [
      {
        file: `${features}/matching/learning.test.ts`,
        test: 'forgets what waits to be learned also where it was queued before the clock of the reset',
        stands: 'waits until a decision can no longer be undone',
      },
    ],
  },
  {
    name: 'likes from lists sink or lift people',
    opens: 'Like or pass people from links and lists, who were never dealt, and change how ranking sees them.',
    changes: [
      {
        file: `${features}/matching/learning.queries.ts`,
        find: 'i.target_id = h.target and i.shown_at <= h.at)',
        replace: 'i.target_id = h.target and i.shown_at <= h.at) is not null',
      },
    ],
    caughtBy: [
      {
        file: `${features}/matching/learning.test.ts`,
        test: 'learns nothing from a decision on someone who was not shown before it, as at night',
        stands: 'waits until a decision can no longer be undone',
      },
    ],
  },
]
