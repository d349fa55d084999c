import { features, type Hole, platform } from '../hole.ts'

const accounts = `${features}/accounts/accounts.test.ts`
const sessions = `${features}/accounts/sessions.test.ts`
const takesOnce = 'a code signs in once'

export const signInHoles: Hole[] = [
  {
    name: 'tries are not counted',
    opens: 'Guess a code with as many tries as one likes.',
    changes: [
      {
        file: `${features}/accounts/accounts.queries.ts`,
        find: 'sql`${sql.ref(tries)} + 1`',
        replace: 'sql`${sql.ref(tries)}`',
      },
    ],
    caughtBy: [
      {
        file: accounts,
        test: 'at most five of many concurrent guesses are compared',
        stands: 'a code expires after ten minutes',
      },
      { file: accounts, test: 'a code has five tries', stands: takesOnce },
    ],
  },
  {
    name: 'checking a code takes no try',
    opens: 'Guess a code by checking it, then sign in with it.',
    changes: [
      {
        file: `${features}/accounts/accounts.ts`,
        find: 'if (!code) throw wrong()\n    await returnTry(platform.db, email, code, isKnown)',
        replace: `if (!code) {
      await platform.pool.query('update sign_in_codes set tries = tries - 1 where email = $1 and tries > 0', [email])
      throw wrong()
    }
    await returnTry(platform.db, email, code, isKnown)`,
      },
    ],
    caughtBy: [
      {
        file: `${features}/accounts/verify-otp.test.ts`,
        test: 'a code is useless after five wrong ones, here and elsewhere',
        stands: 'checking a code reveals that the address has an account, and the code then signs in once',
      },
    ],
  },
  {
    name: 'code works twice',
    opens: 'Sign in with a code that was seen over a shoulder, after its owner.',
    changes: [
      {
        file: `${features}/accounts/accounts.queries.ts`,
        find: "    .where('code_hash', '=', hash)\n    .executeTakeFirst()\n  return numDeletedRows > 0n",
        replace:
          "    .where('code_hash', '=', hash)\n    .where('email', '=', '')\n    .executeTakeFirst()\n  return numDeletedRows >= 0n",
      },
    ],
    caughtBy: [{ file: accounts, test: takesOnce, stands: 'a code has five tries' }],
  },
  {
    name: 'code is in the log',
    opens: 'Sign in as anyone, with nothing but the log.',
    changes: [
      {
        file: `${features}/accounts/codes.ts`,
        find: '  // Not awaited: a slow mail server',
        replace: "  log.info({ code }, 'a code was made')\n  // Not awaited: a slow mail server",
      },
    ],
    caughtBy: [
      {
        file: 'server/src/test/security/canaries.test.ts',
        test: 'Logs at the most verbose level contain no addresses, tokens, codes, positions, texts or ids in paths.',
        stands: 'Responses to others contain no addresses, birth dates, tokens, codes or positions.',
      },
    ],
  },
  {
    name: 'address with an account is told',
    opens: 'Find out who is on Duet by their address.',
    changes: [
      {
        file: `${features}/accounts/accounts.ts`,
        find: 'if (!spend) throw wrong()',
        replace:
          "if (!account) throw new AppError('invalid_credentials', 'There is no such account.')\n    if (!spend) throw wrong()",
      },
    ],
    caughtBy: [
      {
        file: 'server/src/test/security/sign-in.test.ts',
        test: 'Addresses with and without an account get identical responses, to the last byte, when a wrong code is sent.',
        stands:
          'Addresses with and without an account get identical responses, to the last byte, when a code is asked for.',
      },
    ],
  },
  {
    name: 'token never ends',
    opens: 'Use a token from an old phone, for ever.',
    changes: [
      {
        file: `${platform}/security/session.ts`,
        find: 'where s.expires_at > $2 and s.idle_expires_at > $2\n      and',
        replace: 'where',
      },
    ],
    caughtBy: [
      {
        file: sessions,
        test: 'a session ends after 7 days without use',
        stands: 'signing out ends the session immediately',
      },
    ],
  },
  {
    name: 'token is kept as it is',
    opens: 'Use everyone’s session with one look into the database or a backup.',
    changes: [
      {
        file: `${platform}/security/session.ts`,
        find: "return createHash('sha256').update(token).digest()",
        replace:
          "if (token.startsWith('dt1_')) return Buffer.from(token.slice(4), 'base64url')\n  return createHash('sha256').update(token).digest()",
      },
    ],
    caughtBy: [
      {
        file: 'server/src/test/security/tokens.test.ts',
        test: 'A token’s row contains only its SHA-256, neither its text nor its bytes.',
        stands: 'A token signs its person in.',
      },
    ],
  },
  {
    name: 'connections outlive their session',
    opens: 'Read on, live, after the owner signed this device out.',
    changes: [
      {
        file: `${platform}/realtime/rooms.ts`,
        find: 'endSession: (sessionId: string) => void io.local.in(sessionRoom(sessionId)).disconnectSockets(true),',
        replace: 'endSession: () => undefined,',
      },
    ],
    caughtBy: [
      {
        file: sessions,
        test: 'a session is listed and can be ended from another device, whose sockets close within two seconds',
        stands: "another person's session can't be ended and looks missing",
      },
    ],
  },
  {
    name: 'any page connects',
    opens: 'Open a live connection from a page of one’s own, in the browser of someone who is signed in.',
    changes: [
      {
        file: `${platform}/realtime/handshakes.ts`,
        find: 'const allowed = origin === undefined ? !isElsewhere(request) : allowsOrigin(origin)',
        replace: 'const allowed = origin === undefined ? !isElsewhere(request) : allowsOrigin(origin) || true',
      },
    ],
    caughtBy: [
      {
        file: 'server/src/app.test.ts',
        test: 'A page of another origin cannot open a socket',
        stands: 'Invalid HTTP gets a 400 and does not affect other connections',
      },
    ],
  },
  {
    name: 'code of the second factor works twice',
    opens: 'Pass the second factor with a code that was just seen.',
    changes: [
      {
        file: `${features}/second-factor/second-factor.ts`,
        find: 'if (delta === null || step <= factor.last_step) throw wrong()',
        replace: 'if (delta === null) throw wrong()',
      },
    ],
    caughtBy: [
      {
        file: `${features}/second-factor/second-factor.test.ts`,
        test: 'Of one code sent twice at once, one passes.',
        stands: 'To everyone else, the second factor is not found.',
      },
    ],
  },
]
