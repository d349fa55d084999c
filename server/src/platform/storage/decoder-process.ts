import { AppError } from '../errors.ts'
import type { DecoderAnswer, DecoderTask } from './decoder.ts'

export type DecodeFile = (bytes: Buffer, options: never) => Promise<unknown>

async function answerTo(decoders: Record<string, DecodeFile>, task: DecoderTask): Promise<DecoderAnswer> {
  try {
    const decode = decoders[task.decoder]
    if (!decode) return { fault: `there is no decoder ${task.decoder}` }
    // Sending a message turns a Buffer into a plain Uint8Array.
    const { buffer, byteOffset, length } = task.bytes
    return { made: await decode(Buffer.from(buffer, byteOffset, length), task.options as never) }
  } catch (error) {
    if (!(error instanceof AppError)) return { fault: String(error) }
    const { code, message, errors } = error
    return { refused: { code, message, errors } }
  }
}

export function answerTasks(decoders: Record<string, DecodeFile>): void {
  process.on('message', async (task: DecoderTask) => {
    const answer = await answerTo(decoders, task)
    if (process.connected) process.send?.(answer)
  })
  // Ctrl-C reaches the whole process group, but pending uploads should finish first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  // A regular exit would wait until the library finishes.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.send?.('ready')
}
