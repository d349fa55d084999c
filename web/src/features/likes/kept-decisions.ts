import type { CallRequest } from '../../platform/call.ts'
import { textsOf } from '../../platform/personal/personal.ts'
import { useSession } from '../../platform/session.ts'

export interface Kept {
  userId: string
  act: CallRequest<'PUT /api/decisions/:userId'>['body'] | 'undo' | 'take-back'
  page: string
}

/** In milliseconds. A request that hangs must not block the requests behind it. */
export const decisionRequest = { patience: 15_000 } as const
/** How long a stored decision is valid, in milliseconds. After that, another device may have changed it. */
const longest = 24 * 60 * 60_000

export const viewerId = () => useSession.getState().user?.id ?? ''
export const thisPage = Math.random().toString(36).slice(2)

function legible(text: string | null): Kept | undefined {
  try {
    const { userId, act, page } = JSON.parse(text ?? '') as Kept
    return userId && act ? { userId, act, page } : undefined
  } catch {
    return undefined
  }
}

export function keptHere(viewer = viewerId()): (Kept & { key: string })[] {
  const texts = textsOf(viewer)
  return texts
    .listed('decision')
    .sort()
    .flatMap((key) => {
      const [at] = key.split('-')
      const kept = legible(texts.read('decision', key))
      if (kept && Date.now() - Number(at) < longest) return { ...kept, key }
      texts.remove('decision', key)
      return []
    })
}

/** The ids of people with a stored decision that hasn't been undone. The server may not have received it yet. */
export function decidedHere(): Set<string> {
  const ids = new Set<string>()
  for (const { userId, act } of keptHere()) ids[typeof act === 'string' ? 'delete' : 'add'](userId)
  return ids
}
