import type { Tx } from '../../platform/platform.ts'
import { recordInAudit } from '../audit/audit.ts'
import { accountExists, dropPowers, setRights, wereRevoked } from './rights.queries.ts'

type OwnerTx = Pick<Tx, 'db' | 'clock'>

async function note(tx: OwnerTx, action: string, id: string, reason = 'by the command line'): Promise<void> {
  await recordInAudit(tx, { actorId: null, action, target: { kind: 'person', id }, reason })
}

/**
 * Makes an account a super administrator and records it. Returns whether the account exists. Needs the rights of the
 * database's owner.
 */
export async function grantRights(tx: OwnerTx, email: string, reason?: string): Promise<boolean> {
  const id = await setRights(tx.db, email, true)
  if (id) await note(tx, 'rights_granted', id, reason)
  return id !== undefined || accountExists(tx.db, email)
}

/**
 * Grants rights to the address in SUPER_ADMIN_EMAIL unless they were revoked. A restart doesn't undo a revocation; only
 * `npm run admin -- grant` does.
 */
export async function grantNamed(tx: OwnerTx & Pick<Tx, 'log'>, email: string): Promise<boolean> {
  if (!(await wereRevoked(tx.db, email))) return grantRights(tx, email, 'named by SUPER_ADMIN_EMAIL')
  tx.log.warn('SUPER_ADMIN_EMAIL names a person whose rights were revoked: they stay revoked until granted again')
  return false
}

/** Revokes a super administrator's rights, signs them out and records the change. Returns false if they had none. */
export async function revokeRights(tx: OwnerTx, email: string): Promise<boolean> {
  const id = await setRights(tx.db, email, false)
  if (!id) return false
  await dropPowers(tx.db, id)
  await note(tx, 'rights_revoked', id)
  return true
}
