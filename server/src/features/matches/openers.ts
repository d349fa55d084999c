import type { Opener } from '@duet/contract/matches.ts'
import type { MatchRow } from './matches.queries.ts'

const count = 3

type Both = Pick<MatchRow, 'interests' | 'own_interests' | 'intents' | 'own_intents' | 'prompts'>

/**
 * Suggested first messages: from what both profiles share, then from the other person's answers, then from their other
 * interests.
 */
export function openersFor({ interests, own_interests, intents, own_intents, prompts }: Both): Opener[] {
  const shared = interests.filter((interest) => own_interests.includes(interest))
  const theirs = interests.filter((interest) => !own_interests.includes(interest))
  const intent = intents.find((wanted) => own_intents.includes(wanted))
  const openers = [
    ...shared.slice(0, 1).map((interest) => ({ kind: 'interest', interest })),
    ...prompts.slice(0, 2).map(({ prompt, answer }) => ({ kind: 'prompt', prompt, answer })),
    ...theirs.slice(0, 1).map((interest) => ({ kind: 'their_interest', interest })),
    ...shared.slice(1, 2).map((interest) => ({ kind: 'interest', interest })),
    ...(intent ? [{ kind: 'intent', intent }] : []),
    { kind: 'hello' },
  ]
  return openers.slice(0, count) as Opener[]
}
