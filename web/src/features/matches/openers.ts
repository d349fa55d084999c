import { cutText } from '@duet/contract/cut-text.ts'
import type { Opener } from '@duet/contract/matches.ts'
import type { TFunction } from 'i18next'

const quoteLength = 90

/**
 * Shortens an answer so that it fits into a sentence: removes the final full stop, and cuts a long answer between
 * words.
 */
export function quote(answer: string): string {
  const line = answer
    .replace(/\s+/g, ' ')
    .replace(/[\s.]+$/, '')
    .trim()
  if (line.length <= quoteLength) return line
  const start = cutText(line, quoteLength)
  const gap = start.lastIndexOf(' ')
  return `${(gap > quoteLength / 2 ? start.slice(0, gap) : start).replace(/[\s.,;:–-]+$/, '')}…`
}

/** `t` must have loaded the `matches` and `catalogue` texts. */
function openerText(opener: Opener, name: string, again: boolean, t: TFunction, language: string): string {
  switch (opener.kind) {
    case 'interest':
    case 'their_interest': {
      const interest = t(`catalogue:interests.${opener.interest}`).toLocaleLowerCase(language)
      return t(`matches:opener.${opener.kind}`, { interest, name })
    }
    case 'prompt':
      return t(`matches:opener.${again ? 'prompt_again' : 'prompt'}`, { answer: quote(opener.answer), name })
    case 'intent':
      return t(`matches:opener.intent.${opener.intent}`, { name })
    default:
      return t('matches:opener.hello', { name })
  }
}

/** A second question about the same answer is worded differently. Duplicates are removed. */
export function openerTexts(openers: readonly Opener[], name: string, t: TFunction, language: string): string[] {
  const texts = openers.map((opener, place) => {
    const again = openers.slice(0, place).some(({ kind }) => kind === opener.kind)
    return openerText(opener, name, again, t, language)
  })
  return [...new Set(texts)]
}
