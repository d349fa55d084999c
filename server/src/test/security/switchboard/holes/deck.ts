import { features, type Hole } from '../hole.ts'

const unseen = `${features}/spam/unseen.test.ts`
const someone = 'someone who is unseen until a person has looked'
const asBefore = `${someone} finds decks, pages and lists as before`

/** What a deck, and a like from it, reveals of people who wait for a review, or who hide something. */
export const deckHoles: Hole[] = [
  {
    name: 'deck of an unseen person is empty',
    opens: 'Come back after a ban, learn from an empty deck that it was noticed, and try again with another mailbox.',
    changes: [
      {
        file: `${features}/candidates/candidates.queries.ts`,
        find: '(not p.hidden or a.unseen)',
        replace: 'not p.hidden',
      },
    ],
    caughtBy: [
      {
        file: unseen,
        test: asBefore,
        stands: `${someone} retracts a like that was heard of, and nothing is heard of that`,
      },
    ],
  },
  {
    name: 'like of an unseen person is told',
    opens: 'Come back after a ban and reach people by likes before a person has looked.',
    changes: [
      {
        file: `${features}/likes/likes.ts`,
        find: 'else if (isNewLike && !held) await tellOfLike',
        replace: 'else if (isNewLike) await tellOfLike',
      },
    ],
    caughtBy: [
      {
        file: unseen,
        test: `${someone} likes people who hear nothing of it until that is over, and then all of it`,
        stands: asBefore,
      },
    ],
  },
  {
    name: 'match with an unseen person is counted',
    opens: 'Find out by what can be undone that someone who is gone has just liked one back.',
    changes: [
      {
        file: `${features}/likes/likes.queries.ts`,
        find: '    and not is_unheard(d.target_id, d.actor_id))',
        replace: ')',
      },
    ],
    caughtBy: [
      {
        file: unseen,
        test: `${someone} has a match with those who like them, who know of it once that is over`,
        stands: asBefore,
      },
    ],
  },
  {
    name: 'hidden presence shows in the order',
    opens: 'Tell by the order of a deck how long a person who hides their presence was away.',
    changes: [
      {
        file: `${features}/candidates/indexed-search.ts`,
        find: 'index.isQuiet[place]! ? hiddenPresenceDays : ',
        replace: '',
      },
      {
        file: `${features}/candidates/fits.queries.ts`,
        find: 'and q.hide_presence)',
        replace: 'and q.hide_presence and q.incognito)',
      },
    ],
    caughtBy: [
      {
        file: `${features}/discovery/deck-order.test.ts`,
        test: 'the order of a deck knows of everyone found who hides their presence, however many come before them',
        stands: 'the order of a deck knows of everyone found who passed the viewer, however many come before them',
      },
    ],
  },
]
