import { parentPort, workerData } from 'node:worker_threads'
import { type Batch, type Learned, train } from './training.ts'

const { batch, start, kept } = workerData as { batch: Batch; start: Learned; kept: Learned[] }
parentPort?.postMessage(train(batch, start, kept))
