import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const shortened = (url: string) => url.replace(/^.*\/node_modules\//, '').replace(/^.*\/server\/dist\//, 'dist/')

/** Returns the functions with the most self time, one line each, with their share of the server's busy time. */
export function topOf(folder: string, most = 40): string[] {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  if (!file) throw new Error('the server wrote no profile')
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const self = new Map<string, number>()
  let idle = 0
  let total = 0
  for (const [n, id] of samples.entries()) {
    const { functionName = '', url = '', lineNumber = 0 } = frames.get(id) ?? {}
    const time = timeDeltas[n] ?? 0
    total += time
    if (functionName === '(idle)') {
      idle += time
      continue
    }
    const place = url ? `${shortened(url)}:${lineNumber + 1}` : ''
    const name = `${functionName || '(anonymous)'} ${place}`
    self.set(name, (self.get(name) ?? 0) + time)
  }
  const busy = total - idle
  const lines = [...self].sort(([, a], [, b]) => b - a).slice(0, most)
  return [
    `busy ${((100 * busy) / total).toFixed(1)} % of ${(total / 1e6).toFixed(1)} s`,
    ...lines.map(([name, time]) => `${((100 * time) / busy).toFixed(2).padStart(6)} %  ${name}`),
  ]
}
