import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'
import { type Person, people } from './people.ts'
import { type Client, connect } from './sockets.ts'

export const outgoing = (
  from: { id: string },
  to: { id: string },
  message = 'Hello',
  changes: Record<string, unknown> = {},
) => ({
  id: randomUUID(),
  message,
  timestamp: new Date().toISOString(),
  senderId: from.id,
  receiverId: to.id,
  status: 'sent',
  ...changes,
})

export async function pair(app: TestApp): Promise<[Person, Person, Client, Client]> {
  const [ana, ben] = (await people(app, 2)) as [Person, Person]
  return [ana, ben, await connect(app, ana), await connect(app, ben)]
}
