import type { Action, Ground, ItemKind } from '@duet/contract/sanctions.ts'

export interface DecidedCase {
  id: string
  person: { id: string; name: string }
  language: string
  ground: Ground
  suggested: Action
  /** The reported item; a review is about the whole account. */
  subject: ItemKind | 'account'
  said?: string | undefined
  /** The number of other open reports about the same item. */
  sameSubject: number
}
