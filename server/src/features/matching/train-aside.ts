import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Batch, type Learned, type Trained, train } from './training.ts'

// In the built server, this module is part of a bundle in the root folder.
const built = new URL('./features/matching/training.worker.js', import.meta.url)

/** Trains in a worker thread, or in the current thread if the server isn't built, as in tests. */
export async function trainAside(batch: Batch, start: Learned, kept: Learned[]): Promise<Trained> {
  if (!existsSync(fileURLToPath(built))) return train(batch, start, kept)
  const worker = new Worker(built, { workerData: { batch, start, kept } })
  try {
    const [trained] = (await once(worker, 'message')) as [Trained]
    return trained
  } finally {
    await worker.terminate()
  }
}
