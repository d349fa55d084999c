import { features, type Hole } from '../hole.ts'

const audit = `${features}/audit/audit.test.ts`
const whole = 'an untouched log is intact, and its head is the seal of the last entry'

export const moderationHoles: Hole[] = [
  {
    name: 'record can be edited',
    opens: 'Change what the record says an administrator did.',
    changes: [
      { statement: 'drop trigger audit_log_stays on audit_log' },
      { statement: 'grant update, delete on audit_log to duet_app' },
    ],
    caughtBy: [
      { file: audit, test: 'neither the application nor the owner can change or empty the log', stands: whole },
    ],
  },
  {
    name: 'edited record is not noticed',
    opens: 'Change the record in the database without a trace.',
    changes: [
      {
        file: `${features}/audit/audit.ts`,
        find: 'return row.seq === seq && row.prev_hash.equals(before) && row.hash.equals(seal)',
        replace: 'return row.seq === seq && row.prev_hash.equals(before) && seal.length === 32',
      },
    ],
    caughtBy: [{ file: audit, test: 'an entry is found if the reason was edited', stands: whole }],
  },
  {
    name: 'administrators judge their own decisions',
    opens: 'Answer the appeal against one’s own decision.',
    changes: [
      {
        file: `${features}/claims/parties.queries.ts`,
        find: 'sql<boolean>`coalesce(',
        replace: 'sql<boolean>`true or coalesce(',
      },
      {
        file: `${features}/claims/claims.queries.ts`,
        find: 'return rows[0]?.party === true',
        replace: 'return rows.length > 1',
      },
    ],
    caughtBy: [
      {
        file: `${features}/appeals/appeals.test.ts`,
        test: 'an appeal goes to an administrator other than the one who decided, who neither sees nor may answer it',
        stands: 'a person can appeal their own sanction once, within six months',
      },
    ],
  },
  {
    name: 'shadow can be seen',
    opens: 'Find out, as a spammer, that one’s messages reach no one.',
    changes: [
      {
        file: `${features}/sanctions/sanctions.ts`,
        find: "if (account && kind !== 'shadow') {",
        replace: 'if (account) {',
      },
    ],
    caughtBy: [
      {
        file: `${features}/moderation/moderation.test.ts`,
        test: 'a shadow restriction is hidden from everyone while it lasts, and ends with the person’s review',
        stands: 'photos are reviewed by one administrator, recorded, and never by their owner',
      },
    ],
  },
  {
    name: 'suspension goes with its account',
    opens: 'Wash a suspension: erase the account, and sign up with the same mailbox.',
    changes: [{ function: 'outlives_account', find: "'suspension', ", replace: '' }],
    caughtBy: [
      {
        file: `${features}/spam/outliving.test.ts`,
        test: 'a suspension A sanction decided before the erasure continues for a person who comes back.',
        stands: 'a ban A sanction decided before the erasure continues for a person who comes back.',
      },
    ],
  },
  {
    name: 'held messages are delivered',
    opens: 'Go on writing to strangers while restricted as a spammer.',
    changes: [{ function: 'is_held_back', find: "s.kind = 'shadow'", replace: "s.kind = ''" }],
    caughtBy: [
      {
        file: `${features}/spam/shadow.test.ts`,
        test: 'A shadow-restricted sender sees what every sender sees, byte for byte, and the receiver sees nothing.',
        stands:
          'A shadow restriction is reviewed after a week at the latest, and a dismissal then delivers the messages.',
      },
    ],
  },
  {
    name: 'evidence is not copied',
    opens: 'Take a message back before a moderator can look at the report about it.',
    changes: [{ file: `${features}/reports/evidence.ts`, find: 'text: row.body,', replace: "text: ''," }],
    caughtBy: [
      {
        file: `${features}/reports/evidence.test.ts`,
        test: 'evidence stays when the sender edits or deletes messages, or deletes their account',
        stands: 'evidence of one photo includes no other photo',
      },
    ],
  },
]
