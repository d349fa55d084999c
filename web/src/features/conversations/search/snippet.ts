import { charactersOf } from '@duet/contract/cut-text.ts'

/** A found text, cut to what stands around the words that were looked for. */
export interface Snippet {
  before: string
  found: string
  after: string
}

const lead = 24
const most = 120
const longestWord = 12

// Each letter for itself, so that places stay the same; the server does not mind accents either.
const folded = (letters: readonly string[]) => letters.map((letter) => [...letter.normalize('NFD')][0]!.toLowerCase())

function indexOf(text: readonly string[], query: readonly string[]): number {
  const last = text.length - query.length
  for (let start = 0; start <= last; start += 1)
    if (query.every((letter, at) => text[start + at] === letter)) return start
  return -1
}

/** Where the word that stands at a place begins, unless it is a very long one. */
function wordAt(letters: readonly string[], place: number): number {
  const space = letters.lastIndexOf(' ', place - 1)
  return place - space > longestWord ? place : space + 1
}

/** Finds `query` in `text`, whatever the case and accents. */
export function snippetOf(text: string, query: string): Snippet {
  const letters = charactersOf(text.replace(/\s+/g, ' '))
  const wanted = folded(charactersOf(query.trim().replace(/\s+/g, ' ')))
  const at = wanted.length === 0 ? -1 : indexOf(folded(letters), wanted)
  const part = (from: number, to: number) => letters.slice(from, to).join('')
  if (at < 0) return { before: part(0, most), found: '', after: '' }
  const from = at > lead ? wordAt(letters, at - lead) : 0
  const end = at + wanted.length
  return { before: (from > 0 ? '…' : '') + part(from, at), found: part(at, end), after: part(end, end + most) }
}
