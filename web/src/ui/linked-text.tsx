import type { ReactNode } from 'react'

/** A sentence with one link: `text` marks it as `<a>…</a>`, and `link` renders it. */
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
