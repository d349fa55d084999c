/** A change that reopens a vulnerability, in the test build only. */
export type Change =
  /** In a source file, by its path from the root: `find` must occur exactly once. */
  | { file: string; find: string; replace: string }
  /** The same in a function of the migrated database. */
  | { function: string; find: string; replace: string }
  /** A statement run by the owner of the migrated database. */
  | { statement: string }

/** A test that must fail while the hole is open; `stands` names a test of the same file that must still pass. */
export interface Catch {
  file: string
  test: string
  stands: string
}

/** A mistake that was made elsewhere or could be made here. */
export interface Hole {
  name: string
  opens: string
  changes: Change[]
  caughtBy: Catch[]
}

export const features = 'server/src/features'
export const platform = 'server/src/platform'
export const security = 'server/src/test/security'
