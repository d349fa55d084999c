import { expect, it } from 'vitest'
import { connectOwner } from '../../platform/database/database.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createTestDatabase } from '../../test/database.ts'
import { person } from '../../test/people.ts'
import { grantRights, revokeRights } from './rights.ts'

const email = 'boss@example.com'

async function stateOf({ platform }: TestApp) {
  const admin = await platform.pool.query<{ is: boolean }>('select is_super_admin as is from accounts')
  const log = await platform.pool.query<{ line: string }>(
    `select action || ', ' || reason as line from audit_log order by seq`,
  )
  return { isAdmin: admin.rows[0]?.is, record: log.rows.map(({ line }) => line) }
}

it("the person named in the configuration becomes an administrator, is recorded, and isn't made one again after a revocation", {
  tags: 'long',
}, async () => {
  const database = await createTestDatabase()
  const owner = connectOwner(database.config, () => undefined)
  /** Restarts Duet, checks the rights, and runs a command as the command line does. */
  const onNextStart = async (command?: typeof grantRights) => {
    const app = await startTestApp({ SUPER_ADMIN_EMAIL: email, LOG_LEVEL: 'silent' }, { database })
    try {
      const state = await stateOf(app)
      if (command) await owner.db.transaction().execute((db) => command({ db, clock: app.clock }, email))
      return state
    } finally {
      await app.close()
    }
  }
  try {
    const first = await startTestApp({ SUPER_ADMIN_EMAIL: email }, { database })
    expect((await person(first, { email })).isSuperAdmin).toBe(true)
    await first.close()
    const record = ['rights_granted, named by SUPER_ADMIN_EMAIL']
    expect(await onNextStart(revokeRights)).toEqual({ isAdmin: true, record })
    record.push('rights_revoked, by the command line')
    expect(await onNextStart()).toEqual({ isAdmin: false, record })
    expect(await onNextStart(grantRights)).toEqual({ isAdmin: false, record })
    record.push('rights_granted, by the command line')
    expect(await onNextStart()).toEqual({ isAdmin: true, record })
  } finally {
    await owner.db.destroy()
    await database.drop()
  }
})

it('a named person without an account becomes an administrator by signing up, and nobody else does', {
  tags: 'long',
}, async () => {
  const app = await startTestApp({ SUPER_ADMIN_EMAIL: email })
  try {
    expect((await person(app)).isSuperAdmin).toBe(false)
    expect((await person(app, { email })).isSuperAdmin).toBe(true)
  } finally {
    await app.close()
  }
})
