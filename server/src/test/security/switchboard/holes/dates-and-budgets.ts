import { features, type Hole, platform } from '../hole.ts'

const watch = `${features}/dates/date-watch.test.ts`
const budgets = `${features}/accounts/limits.test.ts`
const ofOneNetwork = 'allow ten failed sign-ins an hour for an address'

/** Shared dates and their contacts, and budgets that one person must not use up for another. */
export const datesAndBudgetsHoles: Hole[] = [
  {
    name: 'one refused contact stops the rest',
    opens: 'Keep everyone’s missed check-ins quiet, with contact addresses that no mail server accepts.',
    changes: [
      {
        file: `${features}/dates/date-watch.ts`,
        find: "if (outcome === 'unsent') inARow += 1",
        replace: "if (outcome === 'refused') inARow = mostInARow",
      },
    ],
    caughtBy: [
      {
        file: watch,
        test: 'does not hold up the contacts of others',
        stands: 'no more after an early check-in loses the address, and no one is mailed',
      },
    ],
  },
  {
    name: 'early check-in drops the contact',
    opens: 'Go on to a date that was moved, in the belief that a friend would be told.',
    changes: [
      {
        file: `${features}/dates/dates.ts`,
        find: 'const settled = row.check_in_at !== null && row.check_in_at <= checked_in_at',
        replace: 'const settled = isAnswered({ ...row, checked_in_at })',
      },
    ],
    caughtBy: [
      {
        file: watch,
        test: 'after an early check-in keeps its contact',
        stands: 'no more after an early check-in loses the address, and no one is mailed',
      },
    ],
  },
  {
    name: 'erasing mutes a check-in',
    opens: 'Make someone delete their account, so that no alarm is raised when they do not come back.',
    changes: [
      {
        file: `${features}/dates/dates.queries.ts`,
        find: 'from profiles p join accounts a on a.id = p.user_id',
        replace: 'from profiles p join accounts a on a.id = p.user_id and a.erase_at is null',
      },
    ],
    caughtBy: [
      {
        file: watch,
        test: 'a check-in goes on while an account is about to be erased',
        stands: 'does not hold up the contacts of others',
      },
    ],
  },
  {
    name: 'contact is used up in silence',
    opens: 'Use up the mails that a contact may get, so that they are not told of a real missed check-in.',
    changes: [
      {
        file: `${features}/dates/date-watch.ts`,
        find: 'platform.limits.spend(fromAll, contact)',
        replace: 'platform.limits.spend(fromOne, contact)',
      },
    ],
    caughtBy: [
      {
        file: watch,
        test: 'are three a day from one person to one mailbox, however it is written, and dates that end cost nothing',
        stands: 'are about a check-in that is still ahead',
      },
    ],
  },
  {
    name: 'another spelling is another mailbox',
    opens: 'Go on mailing someone who unsubscribed, by writing their address with a tag or a dot.',
    changes: [
      {
        file: `${features}/dates/date-links.ts`,
        find: 'return macOfText(secrets, mailboxOf(address))',
        replace: 'return macOfText(secrets, mailboxOf(address) && address.toLowerCase())',
      },
    ],
    caughtBy: [
      {
        file: watch,
        test: 'stop for a whole mailbox that declined, however its address is written',
        stands: 'are about a check-in that is still ahead',
      },
    ],
  },
  {
    name: 'links in names reach strangers',
    opens: 'Have the operator’s mail server send someone a link of one’s own, as a name.',
    changes: [
      {
        file: `${features}/mails/mails.ts`,
        find: "addressLike.test(text.normalize('NFKC')) || signalsIn(text).length > 0",
        replace: "addressLike.test('') || signalsIn('').length > 0",
      },
    ],
    caughtBy: [{ file: watch, test: 'do not carry the name https://a.example', stands: 'carry the name Mary Ann' }],
  },
  {
    name: 'guesses count against the owner',
    opens: 'Lock a person out of their account with ten wrong guesses an hour, for as long as one likes.',
    changes: [
      {
        file: `${features}/accounts/budgets.ts`,
        find: '[failures.address, `',
        replace: '[failures.address, email || `',
      },
    ],
    caughtBy: [{ file: budgets, test: 'signs in after wrong guesses from another network', stands: ofOneNetwork }],
  },
  {
    name: 'known devices are strangers',
    opens: 'Lock a person out of their account with guesses from many networks.',
    changes: [
      {
        file: `${features}/accounts/known-device.ts`,
        find: 'if (!device) return undefined',
        replace: "if (device !== '') return undefined",
      },
    ],
    caughtBy: [
      {
        file: budgets,
        test: 'signs in on a device they know, also when guesses come from everywhere',
        stands: 'is not helped by a device of someone else, nor by one that is made up',
      },
      {
        file: budgets,
        test: 'gets a code on a device they know, whatever others asked for',
        stands: ofOneNetwork,
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
        file: budgets,
        test: 'is not helped by a device of someone else, nor by one that is made up',
        stands: 'signs in on a device they know, also when guesses come from everywhere',
      },
    ],
  },
  {
    name: 'step-up counts against the address',
    opens: 'Keep someone from exporting and erasing, in a session of theirs that lives.',
    changes: [
      {
        file: `${features}/accounts/accounts.ts`,
        find: 'stepUpBudgets(viewer.sessionId, network), async () => {',
        replace: "stepUpBudgets('', network), async () => {",
      },
      {
        file: `${features}/accounts/budgets.ts`,
        find: '    [failures.network, network],\n    ...(withPassword',
        replace: "    [failures.network, network],\n    [failures.session, ''],\n    ...(withPassword",
      },
    ],
    caughtBy: [
      {
        file: budgets,
        test: 'proves who they are in a live session, however many guesses there were',
        stands: ofOneNetwork,
      },
    ],
  },
  {
    name: 'mailbox gets codes for each spelling',
    opens: 'Fill someone’s mailbox with codes, by writing its address in many ways.',
    changes: [
      {
        file: `${features}/accounts/budgets.ts`,
        find: 'const mailbox = mailboxOf(email)',
        replace: 'const mailbox = mailboxOf(email) && email',
      },
    ],
    caughtBy: [
      {
        file: budgets,
        test: 'one mailbox gets five codes an hour from one network, however its address is written',
        stands: 'allow five codes an hour for an address, and answer 429 with Retry-After beyond',
      },
    ],
  },
  {
    name: 'counters keep addresses',
    opens: 'Read in the database, or in Redis, who tried to sign in from where, also of people without an account.',
    changes: [
      {
        file: `${platform}/security/rate-limit.ts`,
        find: "secrets.hmac('rate-limits', key).toString('base64url')",
        replace: "secrets.hmac('rate-limits', key) && key",
      },
    ],
    caughtBy: [{ file: budgets, test: 'counters hold no address and no network', stands: ofOneNetwork }],
  },
  {
    name: 'place that was taken back is new',
    opens:
      'Look from any number of places, and be followed from each to the next, by withdrawing the place in between.',
    changes: [
      {
        file: `${features}/places/places.ts`,
        find: 'const isFirst = !(await hasWithdrawnPlace(tx.db, viewerId))',
        replace: 'const isFirst = !(await hasWithdrawnPlace(tx.db, ownerOfNothing))',
      },
      {
        file: `${features}/places/places.ts`,
        find: 'const batch = 500',
        replace: "const batch = 500\nconst ownerOfNothing = '00000000-0000-0000-0000-000000000000'",
      },
    ],
    caughtBy: [
      {
        file: `${features}/places/places.test.ts`,
        test: 'counts, and shows at the next half hour, after a place was withdrawn',
        stands: 'shows to others at the next epoch, not before',
      },
    ],
  },
  {
    name: 'place that is not published is shown',
    opens: 'Time when someone arrives, although others see moves at half hours alone.',
    changes: [
      {
        file: `${features}/profiles/cards.queries.ts`,
        find: 'and (l.published_at is not null or p.user_id =',
        replace: 'and (l.cell is not null or p.user_id =',
      },
    ],
    caughtBy: [
      {
        file: `${features}/places/places.test.ts`,
        test: 'counts, and shows at the next half hour, after a place was withdrawn',
        stands: 'shows to others at the next epoch, not before',
      },
    ],
  },
  {
    name: 'facts change as often as one likes',
    opens: 'Read who a person is looking for, and what they never accept, by changing one’s own profile every second.',
    changes: [
      {
        file: `${features}/profiles/profiles.ts`,
        find: 'await countChanges(tx, viewerId, before, changes)',
        replace: 'await countChanges(tx, viewerId, before, {})',
      },
    ],
    caughtBy: [
      {
        file: `${features}/profiles/changed-often.test.ts`,
        test: 'what others are looking for cannot be read by changing one’s own height again and again',
        stands: 'a profile can be filled in and corrected as people do',
      },
      {
        file: `${features}/profiles/changed-often.test.ts`,
        test: 'nor by changing one’s gender, also not by taking it away in between',
        stands: 'a profile can be filled in and corrected as people do',
      },
    ],
  },
  {
    name: 'restart undoes a revocation',
    opens: 'Be an administrator again with the next restart, after the rights were taken back.',
    changes: [
      {
        file: `${features}/moderation/rights.ts`,
        find: 'if (!(await wereRevoked(tx.db, email)))',
        replace: "if (!(await wereRevoked(tx.db, '')))",
      },
    ],
    caughtBy: [
      {
        file: `${features}/moderation/rights.test.ts`,
        test: 'who the configuration names is an administrator on record, and not again once that was revoked',
        stands: 'a named person without an account becomes an administrator by signing up, and no one else does',
      },
    ],
  },
  {
    name: 'reversal undoes another decision',
    opens: 'Get back, by an old appeal, what a later decision took away.',
    changes: [
      {
        file: `${features}/appeals/appeals.ts`,
        find: "if (!(await endSanction(tx, row, { as, by, told: as === 'lifted' }))) return { putBack: false }",
        replace: "await endSanction(tx, row, { as, by, told: as === 'lifted' })",
      },
    ],
    caughtBy: [
      {
        file: `${features}/appeals/appeals.test.ts`,
        test: 'an appeal that is right puts back nothing that a second decision took after the first was lifted',
        stands: 'is one, within six months, of one’s own',
      },
    ],
  },
  {
    name: 'statement of reasons is lost',
    opens: 'Be sanctioned without ever being told why, when the server stops at that moment.',
    changes: [
      {
        file: `${features}/sanctions/sanctions.ts`,
        find: "await addJobIn(tx.db, 'mail-statement', { sanctionId: id })",
        replace: "tx.afterCommit(({ jobs }) => jobs.add('mail-statement', { sanctionId: id }))",
      },
    ],
    caughtBy: [
      {
        file: `${features}/appeals/appeals.test.ts`,
        test: 'the mail that tells a decision waits in the queue before the decision is kept',
        stands: 'is one, within six months, of one’s own',
      },
    ],
  },
]
