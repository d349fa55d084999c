import { LinkifyIt } from 'linkify-it'
import { permitted } from '../../../platform/permitted.ts'

const finder = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false, maxLength: 2000 })
  .add('ftp:', null)
  .add('mailto:', null)
  .add('//', null)

export interface Piece {
  at: number
  text: string
  href?: string
}

// `URL.canParse` is missing in the oldest supported browsers.
const isWeb = (url: string) => /^https?:$/.test(permitted(() => new URL(url).protocol) ?? '')

/** Only http and https links count; without a scheme, https is assumed. */
export function textPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  // biome-ignore lint/plugin/cut-text: links start and end between characters
  const part = (from: number, to?: number) => text.slice(from, to)
  for (const { index, lastIndex, url, schema } of finder.match(text) ?? []) {
    const href = schema ? url : url.replace(/^http:/, 'https:')
    if (!isWeb(href)) continue
    if (index > at) pieces.push({ at, text: part(at, index) })
    pieces.push({ at: index, text: part(index, lastIndex), href })
    at = lastIndex
  }
  if (at < text.length) pieces.push({ at, text: part(at) })
  return pieces
}

export const hasLink = (text: string): boolean => textPieces(text).some(({ href }) => href !== undefined)
