export const acts = [
  'sign-out',
  'sign-out everywhere',
  'block',
  'unmatch',
  'suspension',
  'request for erasure',
  'erasure',
  'loss of the second factor',
] as const
export type Act = (typeof acts)[number]

/** Whether an item still works after an action. */
export type Use = 'dead' | 'lives'

interface Handout {
  /** Response fields that contain the item, matched by the end of their path. */
  fields?: RegExp
  /** Jobs whose payload contains the item. */
  jobs?: readonly string[]
  after: Record<Act, Use>
}

const always = Object.fromEntries(acts.map((act) => [act, 'lives'])) as Record<Act, Use>
const deadAfter = (...dead: Act[]): Record<Act, Use> => ({
  ...always,
  ...(Object.fromEntries(dead.map((act) => [act, 'dead'])) as Partial<Record<Act, Use>>),
})
const ofTheSession = deadAfter('sign-out', 'sign-out everywhere', 'suspension', 'erasure')
const ofThePicture = deadAfter('sign-out everywhere', 'block', 'unmatch', 'suspension', 'erasure')

/**
 * Every token or link that Duet hands out, and which actions revoke it. docs/threat-model.md ("Expiry and revocation")
 * explains the exceptions.
 */
export const handouts = {
  token: { fields: /(register|authenticate|finish)\.token$/, after: ofTheSession },
  'live connection': { after: ofTheSession },
  'proof of identity': { after: ofTheSession },
  'address of a photo': {
    fields: /(photo|photos|image|OwnPhoto|Photo)\.url$/i,
    after: { ...ofThePicture, unmatch: 'lives', 'request for erasure': 'lives' },
  },
  'address of an attachment': { fields: /attachments?\.url$/i, after: { ...ofThePicture, unmatch: 'lives' } },
  'address of an export': { fields: /GET \/api\/export\.url$|POST \/api\/export\.url$/, after: ofTheSession },
  // The link works until the account is deleted, because people who have it may still need it.
  'link to a date': { fields: /dates?\.url$/, after: deadAfter('erasure') },
  'sign-in code': { after: deadAfter('erasure') },
  job: {
    jobs: [
      'make-export',
      'mail-account-notice',
      'mail-statement',
      'mail-answer',
      'mail-erasure',
      'mail-check-in',
      'push',
      'announce-newcomer',
      'compare-others',
      'recognise',
      'continue-sanction',
      'shift-tallies',
      'welcome-to-demo',
    ],
    after: deadAfter('erasure'),
  },
  'address of evidence': {
    fields: /evidence\.(photos|messages\.attachment)\.url$/,
    after: deadAfter('sign-out everywhere', 'suspension', 'erasure', 'loss of the second factor'),
  },
  'proof of the second factor': {
    fields: /second-factor\.secret$/,
    after: { ...ofTheSession, 'loss of the second factor': 'dead' },
  },
  'recovery codes of the second factor': {
    fields: /second-factor\S*\.recoveryCodes$/,
    after: deadAfter('erasure', 'loss of the second factor'),
  },
  'recovery codes of the account': { fields: /user\/recoveryCodes\.recoveryCodes$/, after: deadAfter('erasure') },
  // The link protects the owner of the mailbox against anyone who has a session, so ending sessions doesn't revoke it.
  'link that undoes a change of address': { after: deadAfter('erasure') },
  claim: { after: deadAfter('suspension', 'erasure') },
} satisfies Record<string, Handout>
export type Name = keyof typeof handouts

/**
 * Fields with similar names that grant no access: pages of the app and of a sign-in provider, ids of linked accounts,
 * the public push key, and the accepted kinds of passkeys.
 */
export const harmless =
  /passkeys\/options\.authenticatorSelection\.|second-factor\.hasPasskey$|push\.publicKey$|notifications?(\/:id)?(\.notifications)?\.link$|\.linked$|oidc\/start\.url$/
