import { charactersOf } from '@duet/contract/cut-text.ts'
import { foldedText } from '@duet/contract/folded-text.ts'

export interface Snippet {
  before: string
  found: string
  after: string
}

const lead = 24
const most = 120
const longestWord = 12

/** The range of letters that match `query`, using the same folding as the server. The end is exclusive. */
function rangeOf(letters: readonly string[], query: string): readonly [number, number] | undefined {
  const wanted = foldedText(query)
  const folded = letters.map(foldedText)
  const at = wanted === '' ? -1 : folded.join('').indexOf(wanted)
  if (at < 0) return undefined
  let passed = 0
  const endsAt = folded.map((letter) => (passed += letter.length))
  const first = endsAt.findIndex((end) => end > at)
  return [first, endsAt.findIndex((end) => end >= at + wanted.length) + 1]
}

function wordAt(letters: readonly string[], place: number): number {
  const space = letters.lastIndexOf(' ', place - 1)
  return place - space > longestWord ? place : space + 1
}

export function snippetOf(text: string, query: string): Snippet {
  const letters = charactersOf(text.replace(/\s+/g, ' '))
  const range = rangeOf(letters, query.trim().replace(/\s+/g, ' '))
  const part = (from: number, to: number) => letters.slice(from, to).join('')
  if (!range) return { before: part(0, most), found: '', after: '' }
  const [at, end] = range
  const from = at > lead ? wordAt(letters, at - lead) : 0
  return { before: (from > 0 ? '…' : '') + part(from, at), found: part(at, end), after: part(end, end + most) }
}
