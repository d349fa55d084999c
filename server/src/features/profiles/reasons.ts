import type { Reason } from '@duet/contract/profiles.ts'
import { catalogueName, languageName } from './words.ts'

const facts: Record<string, Record<string, string>> = {
  intent: {
    relationship: 'You both want a relationship',
    dating: 'You both want to date',
    friendship: 'You both look for friends',
    open: 'You are both open to what comes',
  },
  children: {
    have: 'You both have children',
    have_and_want_more: 'You both have children and want more',
    want: 'You both want children',
    open: 'You are both open to children',
    do_not_want: 'Neither of you wants children',
  },
  smoking: { never: 'Neither of you smokes', sometimes: 'You both smoke sometimes', often: 'You both smoke' },
  drinking: { never: 'Neither of you drinks', sometimes: 'You both drink sometimes', often: 'You both drink' },
}

/** A reason in English, for clients that do not put it into words themselves. */
export function reasonText({ kind, params }: Reason): string {
  switch (kind) {
    case 'interest':
      return `You both like ${catalogueName(params.interest ?? '')}`
    case 'questions':
      return `You agree on ${params.agreed} of ${params.asked} questions`
    case 'near':
      return `Within ${params.km} km`
    case 'active_today':
      return 'Active today'
    case 'new_here':
      return 'New here'
    case 'language':
      return `You both speak ${languageName(params.language ?? '')}`
    case 'outside_your_usual':
      return 'Outside your usual picks'
    default:
      return facts[kind]?.[params[kind] ?? ''] ?? ''
  }
}
