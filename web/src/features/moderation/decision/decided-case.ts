import type { Action, Ground, ItemKind } from '@duet/contract/sanctions.ts'

export interface DecidedCase {
  id: string
  person: { id: string; name: string }
  language: string
  ground: Ground
  suggested: Action
  /** The type of the reported item; `account` for a review. */
  subject: ItemKind | 'account'
  said?: string | undefined
  sameSubject: number
}
