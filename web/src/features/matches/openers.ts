import type { Opener } from '@duet/contract/matches.ts'
import type { TFunction } from 'i18next'

const quoteLength = 90

/** The beginning of a long answer, cut between words. */
export function quote(answer: string): string {
  const line = answer.replace(/\s+/g, ' ').trim()
  if (line.length <= quoteLength) return line
  const start = line.slice(0, quoteLength)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), quoteLength / 2)).replace(/[\s.,;:–-]+$/, '')}…`
}

/** A first message in the viewer's language. `t` speaks the `matches` and `catalogue` texts. */
export function openerText(opener: Opener, name: string, t: TFunction, language: string): string {
  switch (opener.kind) {
    case 'interest':
    case 'their_interest': {
      const interest = t(`catalogue:interests.${opener.interest}`).toLocaleLowerCase(language)
      return t(`matches:opener.${opener.kind}`, { interest, name })
    }
    case 'prompt':
      return t('matches:opener.prompt', { answer: quote(opener.answer), name })
    case 'intent':
      return t(`matches:opener.intent.${opener.intent}`, { name })
    default:
      return t('matches:opener.hello', { name })
  }
}
