import { randomBytes, randomUUID } from 'node:crypto'
import { countedAsOne, pageSize } from '../../../features/conversations/listing.ts'
import { filesOfPerson, requestsOfNetwork } from '../../../platform/http/request-budgets.ts'
import { handshakesOfNetwork, handshakesOfPerson } from '../../../platform/security/socket-budget.ts'
import type { Cast } from '../authorization/cast.ts'
import { answerTo } from '../requests.ts'
import { openWire } from '../wire.ts'
import type { Call } from './calls.ts'
import { sizes } from './piled-up.ts'

/** The most expensive call that the contract allows. `n` is the call's number in a series. */
export interface Dearest extends Partial<Call> {
  /** The expected outcome if it isn't success, such as for a wrong code, which costs as much as a right one. */
  answered?: string
  before?: () => Promise<unknown>
  /** How many uses of its limit the call counts as. */
  counted?: number
  /** For something that is neither an endpoint nor an event: the action, and how many times a minute it is allowed. */
  act?: () => Promise<string>
  callsAMinute?: number
}

/** Text of maximum length that is expensive to fold, sort and escape. */
const long = (length: number) =>
  'Ąđ ș語 é'
    .repeat(length)
    .slice(0, length - 1)
    .trim()
const form = (bytes: Uint8Array, name: string) => {
  const made = new FormData()
  made.append('file', new Blob([new Uint8Array(bytes)]), name)
  return made
}

const madeUp = () => `dt1_${randomBytes(32).toString('base64url')}`

async function connectOnce(url: string, token: string): Promise<string> {
  try {
    const wire = await openWire(url, token)
    wire.close()
    return 'ok'
  } catch (error) {
    return (error as Error).message
  }
}

interface Given {
  cast: Cast
  /** A photo with the maximum number of pixels. */
  photo: Uint8Array
  addressOfPhoto: string
  /** People nearby who match the account's filters and with whom it has no decision, block or message yet. */
  crowd: string[]
  passed: string[]
  /** Makes the account's last decisions recent enough to be undone. */
  refreshDecisions: () => Promise<unknown>
  url: string
}

/** Calls whose form in the authorization table is already the most expensive. */
const asUsual = [
  'POST /api/user/signOut',
  'POST /api/user/signOutEverywhere',
  'PATCH /api/user/deleteImage',
  'GET /api/matches',
  'GET /api/deck',
  'GET /api/blocks',
  'GET /api/notifications',
  'GET /api/dates',
  'PATCH /api/conversations/:userId',
  'PUT /api/conversations/:userId/messages/:seq/reaction',
  'DELETE /api/conversations/:userId/messages/:seq',
  'mark_as_read',
  'mark_as_delivered',
  'get_or_create_conversation',
  'GET /api/admin/people/:userId/funnel',
  'GET /api/admin/reports',
  'GET /api/admin/moderation/figures',
]

/**
 * The most expensive call of each endpoint and event that lets one account, within its limits, use half a CPU-second a
 * minute or more.
 */
export function dearestCalls({
  cast,
  photo,
  addressOfPhoto,
  crowd,
  passed,
  refreshDecisions,
  url,
}: Given): Record<string, (n: number) => Dearest> {
  const { member, other } = cast.people
  const withOther = { userId: other.who.id }
  const near = (n: number) => ({ userId: crowd[n % crowd.length] as string })
  const parts = (given: Call['parts']): Dearest => ({ parts: given })
  const payload = (given: unknown): Dearest => ({ payload: given })
  const profile = (n: number) => ({
    ...{ name: long(40), bio: `${n} ${long(490)}`, genderText: long(40), pronouns: long(40) },
    ...{ ageMin: 18, ageMax: 98 + (n % 2), maxDistanceKm: null, interestedIn: [], heightCm: 150 + (n % 40) },
  })
  return {
    ...Object.fromEntries(asUsual.map((name) => [name, () => ({})])),
    'PATCH /api/user/updateUser': (n) => parts({ body: profile(n) }),
    'GET /api/user/:id': (n) => parts({ params: { id: near(n).userId } }),
    'GET /api/user/nearBy': () => parts({ query: { limit: 50 } }),
    'POST /api/pool': () => parts({ body: { maxDistanceKm: null, ageMin: 18, ageMax: 99, interestedIn: [] } }),
    'PUT /api/decisions/:userId': (n) => parts({ params: near(n), body: { decision: 'like', comment: long(300) } }),
    'DELETE /api/decisions/:userId': (n) => parts({ params: { userId: passed[n % passed.length] as string } }),
    'POST /api/decisions/undo': () => ({ ...parts({}), before: refreshDecisions }),
    'GET /api/likes': () => parts({ query: { limit: 50 } }),
    'GET /api/decisions': () => parts({ query: { decision: 'like', limit: 50 } }),
    'GET /api/conversations/:userId/messages': () => parts({ params: withOther, query: { limit: 100 } }),
    'GET /api/conversations/:userId/changes': () =>
      parts({ params: withOther, query: { after: 0, since: 0, limit: 200 } }),
    'PATCH /api/conversations/:userId/messages/:seq': (n) =>
      parts({ params: { ...withOther, seq: '1' }, body: { message: `${n} ${long(1_990)}` } }),
    'GET /api/messages/search': () => parts({ query: { query: 'ęzq', limit: 50 } }),
    'POST /api/conversations/:userId/attachments': () => parts({ params: withOther, form: form(photo, 'photo.jpg') }),
    'GET /api/messages/history': () => ({ counted: 1 + Math.floor((sizes.talks * (1 + pageSize)) / countedAsOne) }),
    get_conversations: () => ({ counted: 1 + Math.floor(sizes.conversations / countedAsOne) }),
    send_message: () =>
      payload({
        id: randomUUID(),
        message: long(2_000),
        senderId: member.who.id,
        receiverId: other.who.id,
        replyTo: 3,
      }),
    'a connection': () => ({
      act: () => connectOnce(url, member.who.token),
      callsAMinute: handshakesOfPerson.perSecond * 60,
    }),
    'a connection without an account': () => ({
      ...{ role: 'anonymous', act: () => connectOnce(url, madeUp()), answered: 'unauthenticated' },
      callsAMinute: handshakesOfNetwork.perSecond * 60,
    }),
    'a request with a made-up token': () => ({
      ...{ role: 'anonymous', answered: '401:unauthenticated', callsAMinute: requestsOfNetwork.perSecond * 60 },
      act: async () => (await answerTo(url, { method: 'GET', path: '/api/user/myDetails', token: madeUp() })).outcome,
    }),
    'a photo that is shown': () => ({
      act: async () => String((await fetch(url + addressOfPhoto)).status),
      callsAMinute: filesOfPerson.perSecond * 60,
    }),
  }
}
