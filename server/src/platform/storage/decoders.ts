import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { AppError, overloaded, rateLimited } from '../errors.ts'
import { createInOrder } from '../in-order.ts'
import { upTo } from '../up-to.ts'
import { type Decoder, type DecoderLimits, type DecoderTask, startDecoder } from './decoder.ts'

/** Opens untrusted files in processes that hold nothing else and are killed when a file costs too much. */
export interface Decoders {
  /**
   * Decodes a file of `personId`, one at a time of each person. Throws what the decoder refuses with,
   * `unsupported_media_type` for a file that costs too much, `rate_limited` after the second of those within an hour, and
   * `retry` when too many files are waiting.
   */
  decode(personId: string, task: DecoderTask): Promise<unknown>
  close(): Promise<void>
}

export interface DecoderOptions extends DecoderLimits {
  /** The program that decodes. */
  program: string
  /** How many processes there are at most. */
  processes: number
  /** A process without work ends after so long, in milliseconds: the memory of the largest file is given back. */
  idleMs: number
}

// Beside the bundle when it is built, in the sources when it is not.
const built = fileURLToPath(new URL('./cli/decode-files.js', import.meta.url))
const source = fileURLToPath(new URL('../../cli/decode-files.ts', import.meta.url))

const defaults: DecoderOptions = {
  program: existsSync(built) ? built : source,
  // Two more than a small machine has cores, so that two slow files leave room for everyone else's.
  processes: 4,
  // The dearest picture within all limits takes two seconds; machines may be several times slower.
  cpuMs: 12_000,
  deadlineMs: 60_000,
  patienceMs: 2_500,
  idleMs: 60_000,
}
const mostWaiting = 200
const givenUp = { most: 2, withinMs: 3_600_000 }

const tooDear = () =>
  new AppError('unsupported_media_type', 'This file takes too long to open. Save it again, or make it smaller.')

/** The processes of one server; none is started before there is a file. */
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

/** Decoders for everyone who sends files to this process. */
export function createDecoders(given: Partial<DecoderOptions> = {}): Decoders {
  const options = { ...defaults, ...given }
  const pool = createPool(options)
  const places = pLimit(options.processes)
  const inOrder = createInOrder()
  const costly = new LRUCache<string, number>({ ...upTo(10_000), ttl: givenUp.withinMs })

  async function decode(personId: string, task: DecoderTask): Promise<unknown> {
    // Looked up when it is their turn: the files before this one may have been the ones too many.
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
