import { features, type Hole } from '../hole.ts'

const folder = `${features}/identities`
const oidc = `${folder}/oidc.test.ts`
const identities = `${folder}/identities.test.ts`
const believed = 'is believed when nothing is wrong with it'

/** Sign-in with the provider that the operator names. */
export const identitiesHoles: Hole[] = [
  {
    name: 'ID token is not checked against a key',
    opens: 'Sign in as anyone, with a token that no provider signed.',
    changes: [
      {
        file: `${folder}/provider.ts`,
        find: '      client.enableNonRepudiationChecks,\n',
        replace: '',
      },
    ],
    caughtBy: [
      {
        file: oidc,
        test: 'is not believed when a key signed it that the provider has not published',
        stands: believed,
      },
    ],
  },
  {
    name: 'any address at the provider will do',
    opens: 'Take over an account by writing its address into a profile at the provider.',
    changes: [
      {
        file: `${folder}/provider.ts`,
        find: 'return isTrue(verified) ? Email.safeParse(email).data : undefined',
        replace: 'return isTrue(verified) || email ? Email.safeParse(email).data : undefined',
      },
    ],
    caughtBy: [
      {
        file: identities,
        test: 'needs an address that the provider has verified: false is none',
        stands: 'links the account of a verified address, and tells its owner by mail',
      },
    ],
  },
  {
    name: 'what the page is handed works in any browser',
    opens: 'Sign in as the person whose address bar, history or log one has seen.',
    changes: [
      {
        file: `${folder}/identities.queries.ts`,
        find: "    .deleteFrom('identity_proofs')\n    .where('code_hash', '=', codeHash)\n    .where('browser_hash', '=', browserHash)",
        replace:
          "    .deleteFrom('identity_proofs')\n    .where('code_hash', '=', codeHash)\n    .where('browser_hash', '!=', Buffer.concat([browserHash, browserHash]))",
      },
    ],
    caughtBy: [
      {
        file: oidc,
        test: 'is of use to the browser that began alone, and once',
        stands: believed,
      },
    ],
  },
  {
    name: 'provider makes administrators',
    opens: 'Become a super administrator with an account at the provider that has the right address.',
    changes: [
      {
        file: `${folder}/identities.ts`,
        find: 'if (account.is_super_admin || account.email === adminEmail) throw forbidden()',
        replace: 'if (account.is_super_admin && account.email === adminEmail) throw forbidden()',
      },
    ],
    caughtBy: [
      {
        file: identities,
        test: 'never links an administrator, and never makes one',
        stands: 'links the account of a verified address, and tells its owner by mail',
      },
    ],
  },
]
