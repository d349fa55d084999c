import type { Action, Ground, ItemKind } from '@duet/contract/sanctions.ts'

/** What a decision is about. */
export interface DecidedCase {
  id: string
  person: { id: string; name: string }
  /** What they read Duet in. */
  language: string
  ground: Ground
  suggested: Action
  /** What was reported; a review is about the account as a whole. */
  subject: ItemKind | 'account'
  /** When the reported message was sent. */
  said?: string | undefined
  /** How many other open reports there are of the same thing. */
  sameSubject: number
}
