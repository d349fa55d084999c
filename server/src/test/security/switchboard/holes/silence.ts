import { features, type Hole, security } from '../hole.ts'

const parting = `${features}/presence/parting.test.ts`
const silence = `${security}/silence.test.ts`
const back = 'presence and typing come back on open connections when a block ends'
const own = 'a block and its end are told to all devices of the person who blocks'

/** What a person learns from what others do. */
export const silenceHoles: Hole[] = [
  {
    name: 'equal list of who is online is sent',
    opens: 'Find out, live, that a stranger has just blocked or reported one.',
    changes: [
      {
        file: `${features}/presence/online.ts`,
        find: 'if (before?.length === now.length && before.every((id, place) => id === now[place])) return false',
        replace: 'if (before === now) return false',
      },
    ],
    caughtBy: [
      {
        file: parting,
        test: 'a block by a stranger, or by a contact who is away, sends nothing to the blocked person',
        stands: own,
      },
    ],
  },
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
    name: 'hidden people type',
    opens: 'See someone type who is about to be erased, and so that they did not block one.',
    changes: [
      {
        file: `${features}/presence/presence.queries.ts`,
        find: 'c.held_from is not null or own.hidden as held',
        replace: 'c.held_from is not null as held',
      },
    ],
    caughtBy: [
      {
        file: parting,
        test: 'presence and typing of someone who is about to be erased reach no one',
        stands: back,
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
]
