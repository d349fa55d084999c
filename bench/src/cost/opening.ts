import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { listCursorHeader } from '@duet/contract/limits.ts'
import { each } from '../../../tools/each.ts'
import { type Line, openLine } from '../../../tools/line.ts'
import { median } from '../../../tools/percentiles.ts'
import type { Figure } from '../../../tools/report.ts'
import { atOnce, type Meter } from './meter.ts'
import type { Viewer } from './scene.ts'

/** The number of conversations in one response, and its bytes on the wire without TCP headers. */
interface Transfer {
  rows: number
  bytes: number
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

function loadList(port: number, token: string): Promise<Transfer & { cursor: string }> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, deflate, br' }
  const options = { host: '127.0.0.1', port, path: '/api/messages/history', headers, agent: false }
  return new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const parts: Buffer[] = []
      const { bytesRead } = response.socket
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', reject)
      response.once('end', () => {
        const encoding = response.headers['content-encoding'] as keyof typeof decoders | undefined
        const body = Buffer.concat(parts)
        const text = encoding ? decoders[encoding](body) : body
        const cursor = response.headers[listCursorHeader]
        if (response.statusCode !== 200 || typeof cursor !== 'string') return reject(new Error(`no list: ${text}`))
        const bytes = Math.max(bytesRead, body.length)
        resolve({ rows: JSON.parse(text.toString()).length, bytes, cursor })
      })
    })
    asked.once('error', reject)
    asked.end()
  })
}

interface Listening {
  line: Line
  told: string[]
}

async function listen(port: number, token: string): Promise<Listening> {
  const told: string[] = []
  const onEvent = (text: string) => {
    if (text.startsWith('["conversations"')) told.push(text)
  }
  return { line: await openLine(port, token, { onEvent, onClosed: () => undefined }), told }
}

/** Requests the list over the socket: all of it, or the changes since a cursor. */
function askLine({ line, told }: Listening, since?: string): Promise<Transfer> {
  told.length = 0
  return new Promise((resolve, reject) => {
    line.send('get_conversations', JSON.stringify(since === undefined ? {} : { since }), (ok, answer) => {
      if (!ok) return reject(new Error(answer))
      const rows = told.reduce((sum, text) => sum + JSON.parse(text)[1].length, 0)
      resolve({ rows, bytes: [...told, answer].reduce((sum, text) => sum + Buffer.byteLength(text), 0) })
    })
  })
}

interface Parts {
  meter: Meter
  server: { pid: number; port: number }
  viewers: readonly Viewer[]
  rounds: number
}

/**
 * P18: how many conversations and bytes the app fetches when it opens and connects, and their CPU cost. For comparison,
 * it also measures, in turns, fetching the list over HTTP and then all of it again over the socket.
 */
export async function measureOpenings({ meter, server, viewers, rounds }: Parts): Promise<Figure[]> {
  const lines = await Promise.all(viewers.map(({ token }) => listen(server.port, token)))
  const open = async (isTwice: boolean) => {
    let [rows, bytes, once] = [0, 0, 0]
    const ms = await meter.cpuMsOf(server, async () => {
      await each(viewers, atOnce, async ({ token }, place) => {
        const list = await loadList(server.port, token)
        const later = await askLine(lines[place] as Listening, isTwice ? undefined : list.cursor)
        rows += list.rows + later.rows
        once += list.rows
        bytes += list.bytes + later.bytes
      })
    })
    return { times: rows / once, kb: bytes / viewers.length / 1024, ms: ms / viewers.length }
  }
  const [now, twice] = [[], []] as [Awaited<ReturnType<typeof open>>[], Awaited<ReturnType<typeof open>>[]]
  for (let nth = 0; nth <= rounds; nth++) {
    const [one, other] = [await open(false), await open(true)]
    // The first round is a warm-up.
    if (nth > 0) now.push(one) && twice.push(other)
  }
  for (const { line } of lines) line.close()
  const figure = (id: 'times' | 'kb' | 'ms', target: string): Figure => {
    const middle = (of: typeof now) => Math.round(median(of.map((each) => each[id])) * 100) / 100
    const note = `asking for everything twice: ${middle(twice)}; medians of ${rounds} rounds of ${viewers.length} people with 50 conversations`
    return { id: `P18.${id}`, value: middle(now), target, note }
  }
  return [figure('times', '<= 1'), figure('kb', '<= 12'), figure('ms', '<= 4')]
}
