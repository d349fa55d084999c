import { vi } from 'vitest'

export interface SeenUpload {
  url: string
  form: FormData
  aborted: boolean
  progress: (share: number) => void
  answer: (status: number, body: unknown) => void
  fail: () => void
}

/** Replaces XMLHttpRequest. The returned list grows as the page starts uploads. */
export function watchUploads(): SeenUpload[] {
  const seen: SeenUpload[] = []
  vi.stubGlobal('XMLHttpRequest', function transfer(this: Record<string, unknown>) {
    pretend(this, seen)
  })
  return seen
}

function pretend(self: Record<string, unknown>, seen: SeenUpload[]): void {
  const handlers = self as { onload?: () => void; onerror?: () => void; onabort?: () => void }
  const upload: { onprogress?: (event: object) => void } = {}
  let one: SeenUpload | undefined
  let url = ''
  const send = (form: FormData) => {
    const answer = (status: number, response: unknown) => {
      Object.assign(self, { status, response })
      handlers.onload?.()
    }
    const progress = (share: number) => upload.onprogress?.({ loaded: share * 100, total: 100 })
    one = { url, form, aborted: false, progress, answer, fail: () => handlers.onerror?.() }
    seen.push(one)
  }
  const abort = () => {
    if (one) one.aborted = true
    handlers.onabort?.()
  }
  const open = (_method: string, to: string) => {
    url = to
  }
  Object.assign(self, { upload, open, send, abort, setRequestHeader: () => undefined, getResponseHeader: () => null })
}
