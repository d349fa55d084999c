import { features, type Hole } from '../hole.ts'

const learning = `${features}/matching/learning.test.ts`
const reach = `${features}/likes/reach.test.ts`
const pending = `${features}/likes/pending.test.ts`
const day = `${features}/likes/day.test.ts`
const safety = `${features}/safety/safety.test.ts`

/** What one account does to how others are found. */
export const likesHoles: Hole[] = [
  {
    name: 'pair is learned from again',
    opens: 'Sink someone in everyone’s order alone, by passing them and taking it back, over and over.',
    changes: [
      {
        file: `${features}/matching/learning.ts`,
        find: 'first: !isWord(before), dueAt',
        replace: 'first: true, dueAt',
      },
      {
        file: `${features}/matching/learning.queries.ts`,
        find: ' where lessons.due_at is not null`',
        replace: '`',
      },
    ],
    caughtBy: [
      {
        file: learning,
        test: 'learns of a pair once, however often a pass is put off and repeated',
        stands: 'waits until a decision can no longer be undone',
      },
    ],
  },
  {
    name: 'pass is learned from at once',
    opens: 'Sink someone with passes that are undone before anyone could see them.',
    changes: [
      {
        file: `${features}/matching/learning.ts`,
        find: 'const dueAt = after(tx.clock.now(), minutes(limits.undoMinutes))',
        replace: 'const dueAt = after(tx.clock.now(), minutes(limits.undoMinutes) * 0)',
      },
    ],
    caughtBy: [
      {
        file: learning,
        test: 'waits until a decision can no longer be undone',
        stands: 'learns of a decision that replaces a "later"',
      },
    ],
  },
  {
    name: 'one pass is a landslide',
    opens: 'Like everyone but one, who then sinks by a single pass.',
    changes: [
      {
        file: `${features}/matching/learning.ts`,
        find: 'Math.max(-constants.lessonMost, Math.min(constants.lessonMost, step))',
        replace: 'Math.max(-9, Math.min(9, step))',
      },
    ],
    caughtBy: [
      {
        file: learning,
        test: 'changes a person’s rank by a bounded step, no matter who decides and how unexpected it is',
        stands: 'more of the same tells less and less',
      },
    ],
  },
  {
    name: 'likes of the banned still wait',
    opens: 'Push people down in everyone’s order with likes from accounts that are thrown out afterwards.',
    changes: [
      {
        file: `${features}/likes/pending.queries.ts`,
        find: 'from decisions d join candidates sender on sender.user_id = d.actor_id',
        replace: 'from decisions d',
      },
    ],
    caughtBy: [
      {
        file: reach,
        test: 'a banned account leaves nothing of its likes behind after the count of the night',
        stands: 'an account that likes everyone costs no one more than one like does',
      },
      {
        file: pending,
        test: 'leaves out the like of someone who was banned',
        stands: 'are as many after a pass and its undo, however often',
      },
    ],
  },
  {
    name: 'day of likes moves along',
    opens: 'Have fresh likes each hour, by setting one’s place to where midnight has just passed.',
    changes: [
      {
        file: `${features}/likes/likes.queries.ts`,
        find: 'select $1, starts_at, ends_at from day\n',
        replace: 'select $1, starts_at, ends_at from day where false\n',
      },
    ],
    caughtBy: [
      {
        file: day,
        test: 'is not begun anew by moving to where midnight has just passed',
        stands: 'follows someone who has not liked anyone in it',
      },
    ],
  },
  {
    name: 'block does not wait',
    opens: 'Become the match of someone who has just blocked one.',
    changes: [
      {
        file: `${features}/safety/safety.queries.ts`,
        find: '(select lock_pair(',
        replace: '(select conversation_id(',
      },
    ],
    caughtBy: [
      {
        file: safety,
        test: 'a block waits for a like of the two that is being kept, so that no match follows it',
        stands: 'a block is silent, mutual, and ends everything at once',
      },
    ],
  },
]
