import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  source: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
  /** Whether the server closes the connection without a response after receiving an email. */
  isMute: boolean
  close(): Promise<void>
}

interface Closable {
  close(): void
}

type Refusal = readonly [number, string] | undefined

/**
 * Starts a mail server on loopback. It refuses the addresses for which `refusal` returns a reply, such as `[550, '5.1.1
 * no one']`.
 */
export async function startMailServer(
  refusal: (address: string) => Refusal | Promise<Refusal> = () => undefined,
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onRcptTo({ address }, _session, done) {
      const [responseCode, message = ''] = (await refusal(address)) ?? []
      done(responseCode === undefined ? null : Object.assign(new Error(message), { responseCode }))
    },
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString()
        received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), source })
        if (!running.isMute) return done()
        for (const connection of server.connections) (connection as unknown as Closable).close()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const running: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    isMute: false,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return running
}

/**
 * Starts a mail server on loopback that accepts everything but replies `line` to one command (`RCPT`, or `.` for the
 * end of the email), or nothing if `line` is empty.
 */
export async function startRelay(command: string, line: string): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => {
    let isData = false
    const answers: Record<string, string> = {
      EHLO: '250-relay.example\r\n250 AUTH PLAIN',
      DATA: '354 go on',
      QUIT: '221 bye',
      [command]: line,
    }
    socket.on('error', () => undefined)
    socket.write('220 relay.example ESMTP\r\n')
    socket.on('data', (chunk) => {
      for (const said of String(chunk).split('\r\n').filter(Boolean)) {
        const verb = said.split(' ', 1)[0]?.toUpperCase() ?? ''
        if (isData && said !== '.') continue
        const answer = answers[verb] ?? (verb === 'AUTH' ? '235 signed in' : '250 ok')
        isData = answer.startsWith('354')
        if (answer) socket.write(`${answer}\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `smtp://duet:secret@127.0.0.1:${port}`, close: () => server.close() }
}

/** Starts a mail server on loopback that accepts connections and never replies. */
export async function startSilentServer(): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { url: `smtp://127.0.0.1:${port}`, close }
}

export function fieldsOf(source: string): [name: string, value: string][] {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1)
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
}
