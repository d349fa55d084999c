import { features, type Hole } from '../hole.ts'

const accounts = `${features}/accounts`
const address = `${accounts}/address-change.test.ts`
const once = 'an address change needs the code that was emailed to the new address, which works once'

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
        test: "undoing from the old address ends all of the thief's sessions, connections, passwords and codes",
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
        test: 'No account can move to a banned mailbox, however it is spelled, and the answer is the usual one.',
        stands: 'A person who comes back to a mailbox that a banned account has left is recognised.',
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
        test: 'PUT of a password ends all other sessions and their connections, and emails a notice',
        stands: 'removing a missing password changes nothing and sends no email',
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
        test: 'a recovery code sent several times concurrently signs in once',
        stands: 'a recovery code works only for its own account',
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
        test: 'Someone else’s device cookie or a forged one doesn’t help against an address’s limit.',
        stands: 'The owner signs in on a known device although guesses come from everywhere.',
      },
    ],
  },
]
