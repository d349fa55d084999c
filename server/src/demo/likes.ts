import { createHash, randomInt } from 'node:crypto'
import type { LikedItem } from '@duet/contract/likes.ts'
import { by } from '@duet/contract/order.ts'
import { searchCandidates, searcherOf } from '../features/candidates/candidates.ts'
import { type DecisionHooks, decide } from '../features/likes/likes.ts'
import { getMyDetails } from '../features/profiles/profiles.ts'
import { after, minutes, seconds } from '../platform/clock.ts'
import type { JobSpec } from '../platform/jobs/jobs.ts'
import type { Platform } from '../platform/platform.ts'
import { areDemo, findNewest } from './demo.queries.ts'
import { guestId } from './people.ts'

interface Pair {
  from: string
  to: string
}
type Task = Pair & { place?: number }

const admirers = { count: 7, within: minutes(12) }
/** The percentage of characters who like back. */
const likesBack = 75

const comments = [
  'This made me smile. What happened next?',
  'I’d love to hear the long version of this.',
  'You had me here.',
  'Same! No one ever admits it.',
  'Okay, now I need details.',
  'I read this twice and grinned both times.',
  'We’d get along, I think.',
  'Is there a story behind this?',
]

/** A number from 0 to 99, always the same for a pair. */
const chance = ({ from, to }: Pair) => createHash('sha256').update(`${from} ${to}`).digest().readUInt32BE(0) % 100

export interface DemoLikes {
  onArrived(userId: string): Promise<void>
  onLiked(actorId: string, targetId: string): void
  jobs: JobSpec[]
}

/** Every other like has a comment on a prompt or photo. The first comments are all different. */
async function itemFor(platform: Platform, { from, to, place }: Task): Promise<{ item?: LikedItem; comment?: string }> {
  const turn = place ?? chance({ from, to })
  if (turn % 2 === 0) return {}
  const { prompts, photos } = await getMyDetails(platform, to)
  const first = chance({ from: to, to })
  const comment = comments[(first + Math.floor(turn / 2)) % comments.length] as string
  const [prompt] = prompts
  if (prompt) return { item: { kind: 'prompt', prompt: prompt.prompt }, comment }
  const [photo] = photos
  return photo ? { item: { kind: 'photo', fileName: photo.fileName } } : {}
}

export function demoLikes(
  platform: Platform,
  hooks: DecisionHooks,
  onSaid: (senderId: string, receiverId: string) => void,
): DemoLikes {
  const later = (task: string, pair: Task, ms: number) =>
    platform.jobs.add(task, pair, { key: `${task}:${pair.from}:${pair.to}`, runAt: after(platform.clock.now(), ms) })

  async function arrive(userId: string): Promise<void> {
    const searcher = await searcherOf(platform, userId)
    const ids = ((searcher && (await searchCandidates(platform, searcher, []))) ?? []).map(({ id }) => id)
    const demo = ids.length > 0 ? await areDemo(platform.db, ids) : new Set<string>()
    demo.delete(guestId())
    const likers = [...demo].sort(by((from) => chance({ from, to: userId })))
    for (const [place, from] of likers.slice(0, admirers.count).entries()) {
      // The first two likes arrive within seconds, so that the Likes page isn't empty.
      const wait = place < 2 ? seconds(2 + place * 5) : (admirers.within * place) / admirers.count
      await later('demo-like', { from, to: userId, place }, wait)
    }
  }

  async function hear(pair: Pair): Promise<void> {
    const demo = await areDemo(platform.db, [pair.from, pair.to])
    const isPlayed = (id: string) => demo.has(id) && id !== guestId()
    if (!isPlayed(pair.from) || isPlayed(pair.to)) return
    await answer(pair)
    if (chance(pair) >= likesBack) return
    await later('demo-like', pair, randomInt(seconds(4), seconds(15)))
  }

  /** The comment of a like becomes the first message of the match and gets an answer like any other message. */
  async function answer({ from, to }: Pair): Promise<void> {
    const [newest] = await findNewest(platform.db, from, to, 1)
    if (newest?.sender_id === to) onSaid(to, from)
  }

  async function like(task: Task): Promise<void> {
    const more = await itemFor(platform, task)
    try {
      const { match } = await decide(platform, task.from, task.to, { decision: 'like', ...more }, hooks)
      if (match) await answer(task)
    } catch (error) {
      // Expected if filters have changed or one of the two has blocked the other; then there is no like.
      platform.log.debug({ err: error }, 'a demo like failed')
    }
  }

  return {
    onArrived: arrive,
    onLiked: (actorId, targetId) =>
      void hear({ from: targetId, to: actorId }).catch((err) =>
        platform.log.warn({ err }, 'a demo character did not react to a like'),
      ),
    jobs: [{ name: 'demo-like', run: (payload) => like(payload as Task) }],
  }
}
