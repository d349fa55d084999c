import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { AppError, overloaded, rateLimited } from '../errors.ts'
import { createInOrder } from '../in-order.ts'
import { upTo } from '../up-to.ts'
import { type Decoder, type DecoderLimits, type DecoderTask, startDecoder } from './decoder.ts'

/** Opens untrusted files in processes that hold no secrets and are killed when a file takes too much CPU time. */
export interface Decoders {
  /**
   * Decodes one file at a time per person. Throws the decoder's rejection, `unsupported_media_type` for a file that is
   * too expensive, `rate_limited` after two such files within an hour, and `retry` when too many files are waiting.
   */
  decode(personId: string, task: DecoderTask): Promise<unknown>
  close(): Promise<void>
}

export interface DecoderOptions extends DecoderLimits {
  program: string
  processes: number
  /** An idle process exits after this many milliseconds, which frees the memory of the largest file it opened. */
  idleMs: number
}

// In a build, the program is next to the bundle; otherwise it is among the sources.
const built = fileURLToPath(new URL('./cli/decode-files.js', import.meta.url))
const source = fileURLToPath(new URL('../../cli/decode-files.ts', import.meta.url))

const defaults: DecoderOptions = {
  program: existsSync(built) ? built : source,
  // Two more than the cores of a small machine, so that two slow files leave room for others.
  processes: 4,
  // The most expensive allowed photo takes two seconds; some machines are several times slower.
  cpuMs: 12_000,
  deadlineMs: 60_000,
  patienceMs: 2_500,
  idleMs: 60_000,
}
const mostWaiting = 200
const givenUp = { most: 2, withinMs: 3_600_000 }

const tooDear = () =>
  new AppError('unsupported_media_type', 'This file takes too long to open. Save it again, or make it smaller.')

function createPool({ program, idleMs, ...limits }: DecoderOptions) {
  const all = new Set<Decoder>()
  const free = new Map<Decoder, NodeJS.Timeout>()
  let isClosed = false
  async function end(decoder: Decoder): Promise<void> {
    clearTimeout(free.get(decoder))
    free.delete(decoder)
    await decoder.kill()
    all.delete(decoder)
  }
  // biome-ignore lint/plugin/void: killing a process never rejects.
  const discard = (decoder: Decoder) => void end(decoder)
  function takeFree(): Decoder | undefined {
    for (const [decoder, idle] of free) {
      clearTimeout(idle)
      free.delete(decoder)
      if (decoder.isFit()) return decoder
      discard(decoder)
    }
    return undefined
  }
  return {
    async use<T>(task: (decoder: Decoder) => Promise<T>): Promise<T> {
      if (isClosed) throw new AppError('unavailable', 'The server is stopping. Try again.')
      const decoder = takeFree() ?? startDecoder(program, limits)
      all.add(decoder)
      try {
        return await task(decoder)
      } finally {
        if (decoder.isFit()) free.set(decoder, setTimeout(discard, idleMs, decoder).unref())
        else discard(decoder)
      }
    },
    close: async () => {
      isClosed = true
      await Promise.all([...all].map(end))
    },
  }
}

export function createDecoders(given: Partial<DecoderOptions> = {}): Decoders {
  const options = { ...defaults, ...given }
  const pool = createPool(options)
  const places = pLimit(options.processes)
  const inOrder = createInOrder()
  const costly = new LRUCache<string, number>({ ...upTo(10_000), ttl: givenUp.withinMs })

  async function decode(personId: string, task: DecoderTask): Promise<unknown> {
    // Checked when it is the file's turn: an earlier file of the same person may have used up the allowance.
    if ((costly.get(personId) ?? 0) >= givenUp.most) throw rateLimited(costly.getRemainingTTL(personId))
    const outcome = await pool.use((decoder) => decoder.decode(task))
    if (outcome === 'too slow' || outcome === 'crashed') {
      costly.set(personId, (costly.get(personId) ?? 0) + 1)
      throw tooDear()
    }
    if ('made' in outcome) return outcome.made
    if ('fault' in outcome) throw new Error(`a decoder failed: ${outcome.fault}`)
    const { code, message, errors } = outcome.refused
    throw new AppError(code, message, errors && { errors })
  }

  return {
    async decode(personId, task) {
      if (places.pendingCount >= mostWaiting) throw overloaded()
      return inOrder(personId, () => places(() => decode(personId, task)))
    },
    close: pool.close,
  }
}
