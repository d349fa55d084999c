import { randomUUID } from 'node:crypto'
import { eraseAccount } from '../../../features/data-rights/erasure.ts'
import { releaseLikes } from '../../../features/likes/telling.ts'
import { showAnew } from '../../../features/presence/presence.ts'
import { endSanction, sanction } from '../../../features/sanctions/sanctions.ts'
import { setUnseen } from '../../../features/spam/linked.queries.ts'
import { settleLinked } from '../../../features/spam/linked.ts'
import { transaction } from '../../../platform/transaction.ts'
import { openWire } from '../wire.ts'
import { block, like, type Pair } from './pair.ts'

interface Act {
  /** Preparation whose effects the observer has already noticed. */
  before?(pair: Pair): Promise<unknown>
  /** Whether the preparation has signed the actor out. */
  isSignedOut?: true
  run(pair: Pair): Promise<unknown>
}

const about = ({ observer }: Pair) => ({ params: { userId: observer.id } })

/** Sends a request from the actor's device, which stays connected. */
async function ask(pair: Pair, event: string, payload: object): Promise<unknown> {
  pair.actors ??= await openWire(pair.app.url, pair.actor.token)
  return pair.actors.ask(event, payload)
}

const places = {
  own: { receiver: 0, default: 1 },
  theirs: { receiver: 1, sender: 0, default: 2 },
} as const
/** The seq of a message by one of the two, or of a message that doesn't exist. */
function seqOf({ relation }: Pair, whose: keyof typeof places): number {
  const known: Partial<Record<string, number>> & { default: number } = places[whose]
  return (known[relation] ?? known.default) || 99
}
const messageOf = (pair: Pair, whose: keyof typeof places) => ({
  params: { userId: pair.observer.id, seq: seqOf(pair, whose) },
})

const privacy = (body: object) => (pair: Pair) => pair.actor.call('PATCH /api/privacy', { body })
const profile = (body: object) => (pair: Pair) => pair.actor.call('PATCH /api/user/updateUser', { body })
const decide = (body: { decision: 'like' | 'pass' | 'later'; comment?: string }) => (pair: Pair) =>
  pair.actor.call('PUT /api/decisions/:userId', { ...about(pair), body: body as never })
const report = (block: boolean) => (pair: Pair) =>
  pair.actor.call('POST /api/reports', {
    body: { userId: pair.observer.id, subject: { kind: 'profile' }, reason: 'spam', block },
  })

const sanctioned = (kind: 'suspension' | 'ban' | 'restriction' | 'warning' | 'shadow') => (pair: Pair) =>
  transaction(pair.app.platform, (tx) =>
    sanction(tx, {
      ...{ userId: pair.actor.id, kind, ground: 'spam', decidedBy: null, statement: 'It was spam.' },
      ...(kind !== 'ban' && kind !== 'warning' && { days: 7 }),
    }),
  )
async function lifted({ app, actor }: Pair): Promise<void> {
  const { rows } = await app.platform.pool.query('select id from sanctions where user_id = $1', [actor.id])
  for (const { id } of rows)
    await transaction(app.platform, (tx) =>
      endSanction(tx, { id, user_id: actor.id, kind: 'suspension' }, { as: 'lifted', by: null }),
    )
}

/** Hides a person who appears to have been banned before, or shows them again after a review. */
const keptUnseen = ({ app: { platform }, actor }: Pair) =>
  transaction(platform, async (tx) => {
    await setUnseen(tx.db, actor.id, true)
    tx.afterCommit(() => showAnew(tx, actor.id))
  })
const cleared = ({ app: { platform }, actor }: Pair) =>
  transaction(platform, (tx) =>
    settleLinked(tx, { kind: 'linked_account', userId: actor.id, outcome: 'dismissed' }, releaseLikes),
  )

const erase = ({ actor }: Pair) => actor.call('POST /api/erasure', { body: {} })

export const acts = {
  'look at their page': {
    async run(pair) {
      await pair.actor.call('GET /api/user/:id', { params: { id: pair.observer.id } })
      await pair.actor.call('GET /api/conversations/:userId/messages', { ...about(pair), query: {} })
      await pair.actor.call('GET /api/conversations/:userId/changes', {
        ...about(pair),
        query: { after: 0, since: 0 },
      })
    },
  },
  'look at all lists': {
    async run({ actor }) {
      await actor.call('GET /api/deck')
      await actor.call('GET /api/user/nearBy')
      await actor.call('POST /api/pool', { body: {} })
      await actor.call('GET /api/likes')
      await actor.call('GET /api/decisions', { query: { decision: 'like' } })
      await actor.call('GET /api/matches')
      await actor.call('GET /api/messages/history')
      await actor.call('GET /api/messages/search', { query: { query: 'Hello' } })
      await actor.call('POST /api/export', { body: { language: 'en' } })
      await actor.call('GET /api/export')
    },
  },
  like: { run: ({ actor, observer }) => like(actor, observer) },
  'like with a comment': { run: decide({ decision: 'like', comment: 'What a garden' }) },
  pass: { run: decide({ decision: 'pass' }) },
  later: { run: decide({ decision: 'later' }) },
  'take a like back': { run: (pair) => pair.actor.call('DELETE /api/decisions/:userId', about(pair)) },
  'undo the last decision': { run: ({ actor }) => actor.call('POST /api/decisions/undo') },
  'undo a pass': {
    before: decide({ decision: 'pass' }),
    run: ({ actor }) => actor.call('POST /api/decisions/undo'),
  },
  message: {
    run: (pair) =>
      ask(pair, 'send_message', {
        ...{ id: randomUUID(), message: 'Something new', senderId: pair.actor.id, receiverId: pair.observer.id },
      }),
  },
  'edit a message': {
    run: (pair) =>
      pair.actor.call('PATCH /api/conversations/:userId/messages/:seq', {
        ...messageOf(pair, 'own'),
        body: { message: 'Something else' },
      }),
  },
  'delete a message': {
    run: (pair) => pair.actor.call('DELETE /api/conversations/:userId/messages/:seq', messageOf(pair, 'own')),
  },
  'react to a message': {
    run: (pair) =>
      pair.actor.call('PUT /api/conversations/:userId/messages/:seq/reaction', {
        ...messageOf(pair, 'theirs'),
        body: { emoji: '❤️' },
      }),
  },
  'read up to the end': {
    run: (pair) => ask(pair, 'mark_as_read', { conversationId: pair.observer.id, userId: pair.actor.id }),
  },
  'have everything delivered': {
    run: (pair) => ask(pair, 'mark_as_delivered', { conversationId: pair.observer.id, upToSeq: 99 }),
  },
  type: { run: (pair) => ask(pair, 'typing', { to: pair.observer.id }) },
  'stop typing': { run: (pair) => ask(pair, 'stop_typing', { to: pair.observer.id }) },
  'open a conversation': { run: (pair) => ask(pair, 'get_or_create_conversation', { withUser: pair.observer.id }) },
  'ask for the conversations': { run: (pair) => ask(pair, 'get_conversations', {}) },
  'accept a request': {
    run: (pair) => pair.actor.call('PATCH /api/conversations/:userId', { ...about(pair), body: { accepted: true } }),
  },
  'mute and archive': {
    run: (pair) =>
      pair.actor.call('PATCH /api/conversations/:userId', { ...about(pair), body: { muted: true, archived: true } }),
  },
  'take the conversation off the list': {
    run: (pair) => pair.actor.call('DELETE /api/conversations/:userId', about(pair)),
  },
  block: { run: ({ actor, observer }) => block(actor, observer) },
  'take a block back': {
    before: ({ actor, observer }) => block(actor, observer),
    run: (pair) => pair.actor.call('DELETE /api/blocks/:userId', about(pair)),
  },
  report: { run: report(false) },
  'report and block': { run: report(true) },
  unmatch: { run: (pair) => pair.actor.call('DELETE /api/matches/:userId', about(pair)) },
  'share a date': {
    run: ({ app, actor, observer }) =>
      actor.call('POST /api/dates', {
        body: {
          ...{ withUserId: observer.id, place: 'Harbour' },
          at: new Date(app.clock.now().getTime() + 3_600_000).toISOString(),
        },
      }),
  },
  'hide presence': { run: privacy({ hidePresence: true }) },
  'show presence again': { before: privacy({ hidePresence: true }), run: privacy({ hidePresence: false }) },
  'hide distance': { run: privacy({ hideDistance: true }) },
  'go incognito': { run: privacy({ incognito: true }) },
  'end incognito': { before: privacy({ incognito: true }), run: privacy({ incognito: false }) },
  'choose who may write': { run: privacy({ whoMayMessage: 'verified' }) },
  pause: { run: profile({ paused: true }) },
  'go on after a pause': { before: profile({ paused: true }), run: profile({ paused: false }) },
  'change filters to fit no more': { run: profile({ ageMin: 60, ageMax: 99 }) },
  'turn read receipts off': { run: profile({ readReceipts: false }) },
  'change their page': { run: profile({ bio: 'A new sentence' }) },
  move: {
    run: ({ actor, place: { latitude, longitude } }) =>
      actor.call('PATCH /api/user/updateLocation', { body: { latitude: latitude + 0.2, longitude } }),
  },
  'take the location back': {
    run: ({ actor }) => actor.call('PUT /api/consents', { body: { purpose: 'location', granted: false } }),
  },
  'answer a question': {
    run: ({ actor }) =>
      actor.call('PUT /api/questions/:id/answer', {
        ...{ params: { id: 'day_rhythm' }, body: { choice: 'early', accepts: [], importance: 'irrelevant' } },
      }),
  },
  'sign out everywhere': { run: ({ actor }) => actor.call('POST /api/user/signOutEverywhere') },
  connect: { run: (pair) => ask(pair, 'stop_typing', { to: pair.actor.id }) },
  disconnect: {
    async run({ app, actor, actors }) {
      actors?.close()
      while (app.platform.realtime.isConnectedHere(actor.id)) await new Promise((resolve) => setTimeout(resolve, 5))
    },
  },
  'be warned': { run: sanctioned('warning') },
  'be restricted': { run: sanctioned('restriction') },
  'be restricted unseen': { run: sanctioned('shadow') },
  'be suspended': { run: sanctioned('suspension') },
  'be banned': { run: sanctioned('ban') },
  'have a suspension lifted': { before: sanctioned('suspension'), isSignedOut: true, run: lifted },
  'be kept unseen': { run: keptUnseen },
  'like, unseen': { before: keptUnseen, run: ({ actor, observer }) => like(actor, observer) },
  'take a like back, unseen': {
    before: keptUnseen,
    run: (pair) => pair.actor.call('DELETE /api/decisions/:userId', about(pair)),
  },
  'be cleared, after a like': {
    async before(pair) {
      await keptUnseen(pair)
      await like(pair.actor, pair.observer)
    },
    run: cleared,
  },
  'ask for erasure': { run: erase },
  'be erased': {
    async run(pair) {
      await erase(pair)
      await eraseAccount({ ...pair.app.platform, db: pair.owner.db }, pair.actor.id)
    },
  },
  'have an erasure carried out': {
    before: erase,
    run: ({ app, owner, actor }) => eraseAccount({ ...app.platform, db: owner.db }, actor.id),
  },
  'keep the account': { before: erase, run: ({ actor }) => actor.call('DELETE /api/erasure') },
} satisfies Record<string, Act>
export type ActName = keyof typeof acts
export const actNames = Object.keys(acts) as ActName[]
export const actOf = (name: ActName): Act => acts[name]
