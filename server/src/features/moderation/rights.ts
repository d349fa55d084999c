import type { Tx } from '../../platform/platform.ts'
import { record } from './audit.ts'
import { accountExists, dropPowers, setRights } from './rights.queries.ts'

type OwnerTx = Pick<Tx, 'db' | 'clock'>

async function note(tx: OwnerTx, action: string, id: string): Promise<void> {
  await record(tx, { actorId: null, action, target: { kind: 'person', id }, reason: 'by the command line' })
}

/** Makes the account of an address a super administrator, on record; true when it is one then. Needs the owner's rights. */
export async function grantRights(tx: OwnerTx, email: string): Promise<boolean> {
  const id = await setRights(tx.db, email, true)
  if (id) await note(tx, 'rights_granted', id)
  return id !== undefined || accountExists(tx.db, email)
}

/** Takes the rights of a super administrator back, signs them out, and puts it on record. False when they have none. */
export async function revokeRights(tx: OwnerTx, email: string): Promise<boolean> {
  const id = await setRights(tx.db, email, false)
  if (!id) return false
  await dropPowers(tx.db, id)
  await note(tx, 'rights_revoked', id)
  return true
}
