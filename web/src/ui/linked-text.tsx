import type { ReactNode } from 'react'

/** A sentence with one link in it: `text` marks it as `<a>…</a>`, `link` draws it. */
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
