import type { ReactNode } from 'react'

/** A sentence that contains one link. `text` marks the link with `<a>…</a>`, and `link` renders it. */
export function LinkedText({ text, link }: { text: string; link: (words: string) => ReactNode }) {
  const [before = '', words = '', after = ''] = text.split(/<\/?a>/)
  return (
    <>
      {before}
      {words && link(words)}
      {after}
    </>
  )
}
