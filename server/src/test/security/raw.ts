import { connect as dial } from 'node:net'
import { standstillMs } from '../standstill.ts'

export function talkRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let heard = ''
    const socket = dial(Number(port), hostname, () => socket.write(text))
    const timer = setTimeout(() => socket.destroy(), standstillMs)
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(heard)
    })
  })
}

export const statusesIn = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
