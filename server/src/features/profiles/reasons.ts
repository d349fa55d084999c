import type { Reason } from '@duet/contract/profiles.ts'
import { catalogueName, languageName } from './words.ts'

const facts: Record<string, Record<string, string>> = {
  intent: {
    relationship: 'You both want a relationship',
    dating: 'You’re both looking to date',
    friendship: 'You’re both looking for friendship',
    open: 'You’re both figuring it out',
  },
  children: {
    have: 'You both have kids',
    have_and_want_more: 'You both have kids and want more',
    want: 'You both want kids',
    open: 'You’re both open to kids',
    do_not_want: 'Neither of you wants kids',
  },
  smoking: { never: 'Neither of you smokes', sometimes: 'You both smoke sometimes', often: 'You both smoke' },
  drinking: { never: 'Neither of you drinks', sometimes: 'You both drink sometimes', often: 'You both drink' },
}

/** In English, for clients without their own wording. */
export function reasonText({ kind, params }: Reason): string {
  switch (kind) {
    case 'interest':
      return `You both like ${catalogueName(params.interest ?? '')}`
    case 'questions':
      return `You match on ${params.agreed} of ${params.asked} answers`
    case 'near':
      return `Less than ${params.km} km away`
    case 'active_today':
      return 'Active today'
    case 'new_here':
      return 'New here'
    case 'language':
      return `You both speak ${languageName(params.language ?? '')}`
    case 'outside_your_usual':
      return 'A little outside your usual'
    default:
      return facts[kind]?.[params[kind] ?? ''] ?? ''
  }
}
