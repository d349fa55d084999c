import { createHash, randomInt } from 'node:crypto'
import type { LikedItem } from '@duet/contract/likes.ts'
import { after, minutes, seconds } from '../../platform/clock.ts'
import type { JobSpec } from '../../platform/jobs.ts'
import type { Platform } from '../../platform/platform.ts'
import { searchCandidates } from '../candidates/candidates.ts'
import { type DecisionHooks, decide } from '../likes/likes.ts'
import { getMyDetails } from '../profiles/profiles.ts'
import { areDemo } from './demo.queries.ts'
import { guestId } from './people.ts'

interface Pair {
  from: string
  to: string
}

/** How many demo people like somebody who has just come, and in how long the last of them does. */
const admirers = { count: 7, within: minutes(12) }
/** How many of those who are liked like back, in percent. */
const likesBack = 75

const comments = [
  'This made me smile. What happened next?',
  'I would like to hear the long version of this.',
  'You had me here.',
  'Same! Nobody ever admits it.',
]

/** A number below 100 that follows from two people: the same every time. */
const chance = ({ from, to }: Pair) => createHash('sha256').update(`${from} ${to}`).digest().readUInt32BE(0) % 100

export interface DemoLikes {
  /** Somebody new has a place: some around them take a liking. */
  onArrived(userId: string): Promise<void>
  /** Somebody has said yes to somebody. */
  onLiked(actorId: string, targetId: string): void
  jobs: JobSpec[]
}

/** Demo people like newcomers, and like back whom they are liked by, after a pause. */
export function demoLikes(platform: Platform, hooks: DecisionHooks): DemoLikes {
  const later = (task: string, pair: Pair, ms: number) =>
    platform.jobs.add(task, pair, { key: `${task}:${pair.from}:${pair.to}`, runAt: after(platform.clock.now(), ms) })

  async function arrive(userId: string): Promise<void> {
    const found = await searchCandidates(platform, userId, [])
    const ids = found?.candidates.map(({ id }) => id) ?? []
    const demo = ids.length > 0 ? await areDemo(platform.db, ids) : new Set<string>()
    demo.delete(guestId())
    const likers = [...demo].sort((a, b) => chance({ from: a, to: userId }) - chance({ from: b, to: userId }))
    for (const [place, from] of likers.slice(0, admirers.count).entries()) {
      // The first two are there at once, so that the page is not empty when one looks.
      const wait = place < 2 ? seconds(2 + place * 5) : (admirers.within * place) / admirers.count
      await later('demo-like', { from, to: userId }, wait)
    }
  }

  async function hear(pair: Pair): Promise<void> {
    const demo = await areDemo(platform.db, [pair.from, pair.to])
    const isPlayed = (id: string) => demo.has(id) && id !== guestId()
    if (!isPlayed(pair.from) || isPlayed(pair.to) || chance(pair) >= likesBack) return
    await later('demo-like', pair, randomInt(seconds(4), seconds(15)))
  }

  /** Every other like is for something they wrote or a photo, with a comment. */
  async function itemFor({ from, to }: Pair): Promise<{ item?: LikedItem; comment?: string }> {
    if (chance({ from, to }) % 2 === 0) return {}
    const { prompts, photos } = await getMyDetails(platform, to)
    const comment = comments[chance({ from: to, to: from }) % comments.length] as string
    const [prompt] = prompts
    if (prompt) return { item: { kind: 'prompt', prompt: prompt.prompt }, comment }
    const [photo] = photos
    return photo ? { item: { kind: 'photo', fileName: photo.fileName } } : {}
  }

  async function like(pair: Pair): Promise<void> {
    const more = await itemFor(pair)
    // Filters may have changed meanwhile, or the two may be apart: then there is no like.
    await decide(platform, pair.from, pair.to, { decision: 'like', ...more }, hooks).catch((error: unknown) => {
      platform.log.debug({ err: error }, 'a demo person could not like')
    })
  }

  return {
    onArrived: arrive,
    onLiked: (actorId, targetId) =>
      void hear({ from: targetId, to: actorId }).catch((err) =>
        platform.log.warn({ err }, 'a demo person was not told'),
      ),
    jobs: [{ name: 'demo-like', run: (payload) => like(payload as Pair) }],
  }
}
