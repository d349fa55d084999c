import { features, type Hole } from '../hole.ts'

const accounts = `${features}/accounts`
const address = `${accounts}/address-change.test.ts`
const thief = 'an owner whose account a thief has moved'
const once = 'changing the address takes the code that was mailed to the new one, alone on its line, once'

/** The address, the password and the recovery codes of an account. */
export const accountsHoles: Hole[] = [
  {
    name: 'undone address leaves the thief signed in',
    opens: 'Stay in a stolen account after its owner has undone the change of address.',
    changes: [
      { file: `${accounts}/address-change.ts`, find: '    await endSessionsIn(tx, account.id)\n', replace: '' },
    ],
    caughtBy: [
      {
        file: address,
        test: `${thief} undoes it from the old address: all of the thief ends, live connections too, and so does what they set`,
        stands: once,
      },
    ],
  },
  {
    name: 'undone address leaves the password of the thief',
    opens: 'Come back to a stolen account with a password that was set meanwhile.',
    changes: [
      {
        file: `${accounts}/address-change.ts`,
        find: '    await setPasswordHash(tx.db, account.id, null, tx.clock.now())\n',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: address,
        test: `${thief} undoes it from the old address: all of the thief ends, live connections too, and so does what they set`,
        stands: once,
      },
    ],
  },
  {
    name: 'address that was left is free at once',
    opens: 'Sign up with the old address of a stolen account, so that its owner cannot bring it back.',
    changes: [
      {
        file: `${accounts}/accounts.ts`,
        find: 'if (await isReserved(tx.db, email, now))',
        replace: 'if (false as boolean)',
      },
    ],
    caughtBy: [
      { file: address, test: `${thief} finds the old address free: for 72 hours no one else gets it`, stands: once },
    ],
  },
  {
    name: 'taken address gets a code',
    opens: 'Tell by the mail of a stranger, or by a clear refusal, whether an address has an account.',
    changes: [
      {
        file: `${accounts}/address-change.ts`,
        find: "return account ? 'taken' :",
        replace: 'if (account) throw taken()\n  return',
      },
    ],
    caughtBy: [
      {
        file: address,
        test: 'an address that has an account is answered like any other, to the last byte, and gets a mail without a code',
        stands: once,
      },
    ],
  },
  {
    name: 'code of an address change is of no account',
    opens: 'Guess the code of an address change as often as one likes.',
    changes: [{ file: `${accounts}/address-change.queries.ts`, find: 'sql`tries + 1`', replace: 'sql`tries`' }],
    caughtBy: [
      {
        file: address,
        test: 'changing the address gives a code five tries and ten minutes, and it is of the account that asked alone',
        stands: once,
      },
    ],
  },
  {
    name: 'banned mailbox is moved to',
    opens: 'Wash a ban: sign up with another address, then move to the banned one.',
    changes: [
      {
        file: `${features}/spam/banned.ts`,
        find: 'return (await findBan(db, values, clock.now())) !== undefined',
        replace: 'return (await findBan(db, values, new Date(0))) === null',
      },
    ],
    caughtBy: [
      {
        file: `${features}/spam/moves.test.ts`,
        test: 'no account moves to a banned mailbox, however that is written, and the answer is that of any other',
        stands: 'a person who comes back to a mailbox that a banned account has left is recognised',
      },
    ],
  },
  {
    name: 'new password leaves the thief signed in',
    opens: 'Stay signed in after the owner has changed the password.',
    changes: [
      {
        file: `${accounts}/password.ts`,
        find: "    await endSessionsIn(tx, viewer.id, viewer.sessionId)\n    await sendNotice(tx, { userId: viewer.id, notice: 'password_set' })",
        replace: "    await sendNotice(tx, { userId: viewer.id, notice: 'password_set' })",
      },
    ],
    caughtBy: [
      {
        file: `${accounts}/password.test.ts`,
        test: 'PUT ends all other sessions and their live connections, and mails a notice',
        stands: 'removing one that is not there changes nothing and mails nothing',
      },
    ],
  },
  {
    name: 'recovery code works twice',
    opens: 'Sign in with a recovery code that was used, for example one left in a form.',
    changes: [
      {
        file: `${accounts}/recovery-codes.queries.ts`,
        find: 'delete from account_recovery_codes c using accounts a',
        replace: 'select c.user_id from account_recovery_codes c, accounts a',
      },
      { file: `${accounts}/recovery-codes.queries.ts`, find: ' returning c.user_id`', replace: '`' },
    ],
    caughtBy: [
      {
        file: `${accounts}/recovery-codes.test.ts`,
        test: 'recovery codes of one sent many times at once, one signs in',
        stands: 'recovery codes are of one account alone',
      },
    ],
  },
]
