import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Developed } from '../features/photos/developed.ts'
import { childEnvironment } from '../platform/process/child-environment.ts'
import type { Look } from './portraits.ts'

interface Answer {
  number: number
  photo?: Developed
  error?: string
}

export interface Studio {
  draw(look: Look): Promise<Developed>
  close(): void
}

// In a build, the program is next to the bundle; otherwise it is among the sources.
const built = fileURLToPath(new URL('./cli/draw-portraits.js', import.meta.url))
const source = fileURLToPath(new URL('../cli/draw-portraits.ts', import.meta.url))

function startChild(): ChildProcess {
  const env = childEnvironment()
  const options = { env, serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] } as const
  return existsSync(built)
    ? fork(built, { ...options, stdio: [...options.stdio], execArgv: [] })
    : fork(source, { ...options, stdio: [...options.stdio], execArgv: ['--import', 'tsx'] })
}

/** Starts a drawing process with the lowest priority. It exits together with this one. */
export function openStudio(): Studio {
  const child = startChild()
  const waiting = new Map<number, { resolve(photo: Developed): void; reject(error: Error): void }>()
  let drawn = 0
  child.on('message', ({ number, photo, error }: Answer) => {
    const task = waiting.get(number)
    waiting.delete(number)
    if (photo) task?.resolve(photo)
    else task?.reject(new Error(error))
  })
  const end = () => {
    for (const { reject } of waiting.values()) reject(new Error('the drawing process has ended'))
    waiting.clear()
  }
  child.once('exit', end).once('error', end)
  return {
    draw: (look) =>
      new Promise((resolve, reject) => {
        drawn += 1
        waiting.set(drawn, { resolve, reject })
        child.send({ number: drawn, look }, (error) => error && reject(error))
      }),
    close: () => {
      child.kill()
      end()
    },
  }
}
