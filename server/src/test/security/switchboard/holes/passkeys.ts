import { features, type Hole } from '../hole.ts'

const passkeys = `${features}/passkeys`
const file = `${passkeys}/passkeys.test.ts`
const stands = 'An added passkey is listed with its device, announced by email, and signs in until it is removed.'

export const passkeyHoles: Hole[] = [
  {
    name: 'passkey proof works twice',
    opens: 'Sign in with what someone else’s device has signed before.',
    changes: [
      {
        file: `${passkeys}/passkeys.ts`,
        find: 'if (!read || !(await takeChallenge(tx.db, read.answered))) return undefined',
        replace: 'if (!read) return undefined',
      },
    ],
    caughtBy: [
      {
        file,
        test: 'A passkey proof works once, even concurrently, until its challenge is forgotten.',
        stands,
      },
    ],
  },
  {
    name: 'passkey signs for any page',
    opens: 'Sign in with what a page of one’s own has a person’s device sign.',
    changes: [
      {
        file: `${passkeys}/ceremony.ts`,
        find: 'expectedOrigin: origin,\n      expectedRPID: id,\n      credential',
        replace:
          "expectedOrigin: String(JSON.parse(Buffer.from(proof.response.clientDataJSON, 'base64url').toString()).origin),\n      expectedRPID: id,\n      credential",
      },
    ],
    caughtBy: [{ file, test: 'A passkey proof of a page elsewhere is refused.', stands }],
  },
  {
    name: 'passkey without its owner',
    opens: 'Sign in with the unlocked phone of someone else, without their finger.',
    changes: [
      {
        file: `${passkeys}/ceremony.ts`,
        find: 'counter: known.counter },\n      requireUserVerification: true,',
        replace: 'counter: known.counter },\n      requireUserVerification: false,',
      },
    ],
    caughtBy: [
      {
        file,
        test: 'A passkey proof without its owner having shown the device who they are is refused.',
        stands,
      },
    ],
  },
  {
    name: 'passkey made for another session',
    opens: 'Put one’s own passkey into the account of someone who answers what they are sent.',
    changes: [
      {
        file: `${passkeys}/ceremony.ts`,
        find: 'answered = readChallenge(platform, challenge, sessionId)',
        replace: 'answered = readChallenge(platform, challenge)',
      },
      {
        file: `${passkeys}/passkeys.ts`,
        find: 'challenge: newChallenge(platform, viewer.sessionId)',
        replace: 'challenge: newChallenge(platform)',
      },
    ],
    caughtBy: [
      {
        file,
        test: 'A new passkey is refused for another session’s, an expired or an already answered challenge.',
        stands,
      },
    ],
  },
  {
    name: 'any passkey is a second factor',
    opens: 'Pass the second factor of an administrator with nothing but their mailbox.',
    changes: [
      {
        file: `${passkeys}/passkeys.queries.ts`,
        find: 'row.passedSince} is true and exists (',
        replace: 'row.passedSince} is not false and exists (',
      },
    ],
    caughtBy: [
      {
        file: `${features}/second-factor/second-factor.test.ts`,
        test: 'a passkey as the second factor A passkey made after passing the second factor counts as one; one made before doesn’t.',
        stands: 'To everyone else, the second factor is not found.',
      },
    ],
  },
]
