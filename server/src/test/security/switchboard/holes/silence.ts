import { features, type Hole, security } from '../hole.ts'

const clear = `${features}/conversations/clear.test.ts`
const cached = 'a conversation caches that both may write with the first message after both have written'
const unseen = `${features}/spam/unseen.test.ts`
const someone = 'someone hidden until a review'
const silence = `${security}/silence.test.ts`

/** What people can learn about the actions of others, and who receives events. */
export const silenceHoles: Hole[] = [
  {
    name: 'unmatch is told',
    opens: 'Tell a block from an unmatch.',
    changes: [
      {
        file: `${features}/matches/matches.ts`,
        find: "      tx.realtime.publish([viewerId], 'match_ended', { userId })\n",
        replace:
          "      tx.realtime.publish([viewerId], 'match_ended', { userId })\n      tx.realtime.publish([userId], 'match_ended', { userId: viewerId })\n",
      },
    ],
    caughtBy: [
      {
        file: silence,
        test: 'an observer notices what the table says where the actor is: match',
        stands: 'the table has an act for everything that can be asked for, or says why not',
      },
    ],
  },
  {
    name: 'change between blocked people is listed',
    opens: 'Learn what someone does who blocked one, from the list of conversations that changed.',
    changes: [
      { function: 'person_changed', find: 'and not is_apart(m.user_id, m.peer_id)', replace: '' },
      { function: 'person_changed', find: 'if old.hidden and new.hidden then return null; end if;', replace: '' },
    ],
    caughtBy: [
      {
        file: silence,
        test: 'an observer notices what the table says where the actor is: blocker',
        stands: 'the table has an act for everything that can be asked for, or says why not',
      },
    ],
  },
  {
    name: 'unseen people are heard',
    opens: 'Come back after a ban and reach people live before a person has looked.',
    changes: [
      {
        function: 'append_messages',
        find: 'when held_from is not null or unheard then',
        replace: 'when held_from is not null then',
      },
    ],
    caughtBy: [
      {
        file: `${features}/conversations/hidden-people.test.ts`,
        test: 'someone unseen sees their messages as sent, and the receiver gets them after the review',
        stands: 'a released conversation returns to the list as it was',
      },
    ],
  },
  {
    name: 'a block leaves what was noted',
    opens: 'Keep writing to someone who blocked one, in a conversation that went on until then.',
    changes: [{ function: 'touch_conversation', find: ', clear = false', replace: '' }],
    caughtBy: [{ file: clear, test: 'the cache is cleared by: block', stands: cached }],
  },
  {
    name: 'socket guesses are free',
    opens: 'Watch ids over the socket to see who blocks, hides or leaves.',
    changes: [
      {
        file: `${features}/spam/probing.ts`,
        find: "if (error instanceof AppError && error.code === 'not_found') await noteMiss(connection.viewer.id)",
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: `${features}/spam/probing.test.ts`,
        test: 'Guesses over a socket count like those over HTTP and have the same result.',
        stands: 'A person who guesses ids gets no answers for an hour, while others do.',
      },
    ],
  },
  {
    name: 'like of an unseen person is told',
    opens: 'Come back after a ban and reach people by likes before a person has looked.',
    changes: [
      {
        file: `${features}/likes/likes.ts`,
        find: '(isNewLike || isHeardNow) && !held && !matched',
        replace: '(isNewLike || isHeardNow) && !matched',
      },
      {
        file: `${features}/likes/telling.ts`,
        find: '  if (!(await isListed(tx, actorId, targetId))) return false\n',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: unseen,
        test: `${someone} A hidden person’s likes reach no one until the review dismisses it, and then all arrive.`,
        stands: `${someone} A hidden person finds decks, pages and lists as before.`,
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
        file: `${features}/safety/safety.test.ts`,
        test: 'a block waits for a like between the two that is being stored, so that no match follows it',
        stands: 'a block is silent and mutual, and ends everything immediately',
      },
    ],
  },
]
