import type { ChatContext } from '../context.ts'
import { changeThread } from '../conversation-list.ts'
import { messageAt, runAround } from '../messages.ts'
import { threadOf } from '../thread.ts'
import { createOpening } from './opening.ts'
import { createPageReader, type PageReaderParts } from './page-reader.ts'

const around = 25

interface PagesParts extends PageReaderParts, Pick<ChatContext, 'viewerId' | 'selection'> {
  read(id: string, seq?: number): void
}

/** Shares a running request among calls with the same name, because scrolling requests the same page many times. */
function onePerName() {
  const underWay = new Map<string, Promise<void>>()
  return (name: string, load: () => Promise<void>): Promise<void> => {
    const running = underWay.get(name)
    if (running) return running
    const loading = load().finally(() => underWay.delete(name))
    underWay.set(name, loading)
    return loading
  }
}

export function createPages({ viewerId, list, selection, socket, call, read, check }: PagesParts) {
  const pages = createPageReader({ list, socket, call, check })
  const oneAtATime = onePerName()
  const focus = (id: string, seq: number | undefined) =>
    list.change((known) => changeThread(known, id, (thread) => ({ ...thread, focus: seq })))
  const shownSeqs = (id: string) => {
    const run = list.find(id)?.messages?.filter(({ seq }) => seq !== undefined)
    return { first: run?.[0]?.seq, last: run?.at(-1)?.seq }
  }

  const older = (id: string) =>
    oneAtATime(`before ${id}`, async () => {
      const { first } = shownSeqs(id)
      if (first !== undefined && first > 1) pages.join(id, await pages.read(id, { before: first }))
    })

  const newer = (id: string) =>
    oneAtATime(`after ${id}`, async () => {
      const { last } = shownSeqs(id)
      if (last === undefined || last >= (list.find(id)?.lastSeq ?? 0)) return
      const page = await pages.read(id, { after: last, limit: 50 })
      pages.join(id, { ...page, isNewest: !page.hasMore })
    })

  /** Resolves to false if the message doesn't exist. */
  async function jumpTo(id: string, seq: number): Promise<boolean> {
    const shows = list.find(id)?.messages?.some((message) => message.seq === seq)
    if (shows) return true
    const both = await Promise.all([
      pages.read(id, { before: seq + 1, limit: around }),
      pages.read(id, { after: seq, limit: around }),
    ])
    for (const page of both) pages.join(id, page)
    const conversation = list.find(id)
    const known = conversation ? threadOf(conversation).known : []
    if (!messageAt(known, seq)) return false
    focus(id, seq)
    return true
  }

  async function newest(id: string): Promise<void> {
    const conversation = list.find(id)
    if (!conversation) return
    const { known, tail } = threadOf(conversation)
    // The pages loaded after a jump may already adjoin the newest page.
    if (tail === undefined || runAround(known, tail || 1).length === 0) await pages.joinNewest(id)
    focus(id, undefined)
  }

  /** Reloads the page that ends with `seq`, because attachment URLs expire. */
  const refresh = (id: string, seq: number) =>
    oneAtATime(`at ${id} ${seq}`, async () => pages.join(id, await pages.read(id, { before: seq + 1 })))

  const open = createOpening({ viewerId, list, selection, joinNewest: pages.joinNewest, older, read })
  return { open, older, newer, jumpTo, newest, refresh }
}
