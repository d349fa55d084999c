import { trustedScript } from '../service-worker.ts'
import type { HeicAnswer } from './heic-worker.ts'
import workerAddress from './heic-worker.ts?worker&url'

/** The decoder's timeout, in ms. */
const longest = 60_000

/**
 * Decodes the main picture of a HEIC file, for browsers that can't. The decoder is large and slow, so it is loaded only
 * when needed, runs in a worker, and is terminated afterwards to free its memory. Throws if decoding fails or `signal`
 * aborts.
 */
export async function decodeHeic(file: Blob, signal?: AbortSignal): Promise<ImageData> {
  const bytes = await file.arrayBuffer()
  signal?.throwIfAborted()
  const worker = new Worker(trustedScript(workerAddress), { type: 'module' })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise((resolve, reject) => {
      const fail = (why: string) => () => reject(new Error(why))
      timer = setTimeout(fail('The HEIC decoder didn’t respond.'), longest)
      signal?.addEventListener('abort', fail('Decoding was aborted.'))
      worker.onmessage = ({ data }: MessageEvent<HeicAnswer>) =>
        data ? resolve(data) : reject(new Error('The HEIC file could not be decoded.'))
      worker.onerror = fail('The HEIC decoder failed to load or crashed.')
      worker.onmessageerror = fail('The HEIC decoder’s response could not be read.')
      worker.postMessage(bytes, [bytes])
    })
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}
