import { AppError } from '../errors.ts'
import type { DecoderAnswer, DecoderTask } from './decoder.ts'

/** Makes something of the bytes of an untrusted file. Throws an AppError for a file that is refused. */
export type DecodeFile = (bytes: Buffer, options: never) => Promise<unknown>

async function answerTo(decoders: Record<string, DecodeFile>, task: DecoderTask): Promise<DecoderAnswer> {
  try {
    const decode = decoders[task.decoder]
    if (!decode) return { fault: `there is no decoder ${task.decoder}` }
    // What crosses processes is a plain array of bytes.
    const { buffer, byteOffset, length } = task.bytes
    return { made: await decode(Buffer.from(buffer, byteOffset, length), task.options as never) }
  } catch (error) {
    if (!(error instanceof AppError)) return { fault: String(error) }
    const { code, message, errors } = error
    return { refused: { code, message, errors } }
  }
}

/** Answers the process that started this one, until that ends or lets go of it. */
export function answerTasks(decoders: Record<string, DecodeFile>): void {
  process.on('message', async (task: DecoderTask) => {
    const answer = await answerTo(decoders, task)
    if (process.connected) process.send?.(answer)
  })
  // Ctrl-C reaches the whole group; uploads under way are finished first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  // An exit would wait for the library.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.send?.('ready')
}
