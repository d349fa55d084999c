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
    name: 'banned mailbox is moved to',
    opens: 'Wash a ban: sign up with another address, then move to the banned one.',
    changes: [
      {
        file: `${features}/spam/banned.ts`,
        find: "kind === 'suspension' || kind === 'ban')",
        replace: "kind === 'shadow')",
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
  {
    name: 'any known device',
    opens: 'Guess the passwords of others without their budgets, with a browser that knows one’s own account.',
    changes: [
      {
        file: `${features}/accounts/known-device.ts`,
        find: "secrets.hmac('known-device', email, device)",
        replace: "secrets.hmac('known-device', email && '', device)",
      },
    ],
    caughtBy: [
      {
        file: `${accounts}/limits.test.ts`,
        test: 'is not helped by a device of someone else, nor by one that is made up',
        stands: 'signs in on a device they know, also when guesses come from everywhere',
      },
    ],
  },
]
