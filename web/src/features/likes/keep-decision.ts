import type { QueryClient } from '@tanstack/react-query'
import { textsOf } from '../../platform/personal/personal.ts'
import { type Kept, keptHere, thisPage, viewerId } from './kept-decisions.ts'

let count = 0

/**
 * Stores a decision on this device until the returned function is called, because the page may close before the server
 * responds. It replaces any stored decisions about the same person.
 */
export function keepDecision(userId: string, act: Kept['act']): () => void {
  if (count === 0) void import('./send-kept.ts').then(({ holdOwn }) => holdOwn()).catch(() => undefined)
  count += 1
  const key = `${Date.now()}-${String(count).padStart(6, '0')}-${thisPage}`
  const texts = textsOf(viewerId())
  for (const old of keptHere()) if (old.userId === userId && old.page !== thisPage) texts.remove('decision', old.key)
  texts.write('decision', JSON.stringify({ userId, act, page: thisPage } satisfies Kept), key)
  return () => texts.remove('decision', key)
}

/** Sends the decisions that earlier pages couldn't send. The code for sending loads only if there are any. */
export async function sendKeptDecisions(queryClient: QueryClient): Promise<void> {
  if (keptHere().length > 0) await (await import('./send-kept.ts')).sendKept(queryClient)
}
