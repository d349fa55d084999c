/** A change that reintroduces a vulnerability, in the test build only. */
export type Change =
  /** Changes a source file, named by its path from the root. `find` must occur exactly once. */
  | { file: string; find: string; replace: string }
  /** Changes a function of the migrated database in the same way. */
  | { function: string; find: string; replace: string }
  /** Runs a statement as the owner of the migrated database. */
  | { statement: string }

/** A test that must fail with the vulnerability; `stands` names a test in the same file that must still pass. */
export interface Catch {
  file: string
  test: string
  stands: string
}

/** A vulnerability that existed in other software or could be introduced here. */
export interface Hole {
  name: string
  opens: string
  changes: Change[]
  caughtBy: Catch[]
}

export const features = 'server/src/features'
export const platform = 'server/src/platform'
export const security = 'server/src/test/security'
