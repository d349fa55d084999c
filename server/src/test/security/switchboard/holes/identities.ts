import { features, type Hole } from '../hole.ts'

const folder = `${features}/identities`
const oidc = `${folder}/oidc.test.ts`
const identities = `${folder}/identities.test.ts`
const believed = 'a valid token is accepted'

/** Sign-in with the operator's OpenID Connect provider. */
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
        test: "a token signed with a key that the provider hasn't published is rejected",
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
        test: "signing in needs an address that the provider has verified, and false doesn't count",
        stands: 'signing in links the account with the verified address, and emails its owner',
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
        test: "the page's code works only in the browser that began, and once",
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
        test: 'a provider never links an administrator, and never makes one',
        stands: 'signing in links the account with the verified address, and emails its owner',
      },
    ],
  },
]
