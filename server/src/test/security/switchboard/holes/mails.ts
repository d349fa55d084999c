import { features, type Hole, platform } from '../hole.ts'

const composing = `${features}/mails/mails.test.ts`
const sending = `${features}/mails/sending.test.ts`
const unsubscribing = `${features}/mails/unsubscribing.test.ts`
const loadsNothing = 'loads nothing, runs nothing and counts no one'
const stopsOne = 'stops its group, signed out, as often as it is done, and nothing else'

/** What mails say to people they are not for, and who may stop them. */
export const mailsHoles: Hole[] = [
  {
    name: 'a scanner stops mails',
    opens: 'Lose all news without ever asking for it: a scanner of mails opened the link.',
    changes: [
      {
        file: `${features}/mails/mails.routes.ts`,
        find: 'return reply.redirect(pageOf(token), 303)',
        replace: 'return reply.redirect((await unsubscribe(platform, token)) && pageOf(token), 303)',
      },
    ],
    caughtBy: [
      {
        file: unsubscribing,
        test: 'by a scanner, which only opens addresses, leads to a page and stops nothing',
        stands: stopsOne,
      },
    ],
  },
  {
    name: 'news goes to people who stopped it',
    opens: 'Be mailed news for ever, whatever one does.',
    changes: [
      {
        file: `${features}/mails/mails.queries.ts`,
        find: "'in', [group, 'all']",
        replace: "'in', [group && 'none']",
      },
    ],
    caughtBy: [
      {
        file: sending,
        test: 'goes out once, with a click to stop it in its fields and a page in its words',
        stands: 'is not mailed where there is none',
      },
    ],
  },
  {
    name: 'markup in mails is markup',
    opens: 'Put a form or a link of one’s own into a mail that Duet sends, as a name.',
    changes: [
      {
        file: `${features}/mails/mail-html.ts`,
        find: "text.replace(/[&<>\"']/g, (sign) => entities[sign] ?? '')",
        replace: "text.replace(/[&]/g, (sign) => entities[sign] ?? '')",
      },
    ],
    caughtBy: [
      {
        file: composing,
        test: 'shows <img src=x onerror=alert(1)> as it was written, wherever it stands',
        stands: loadsNothing,
      },
    ],
  },
  {
    name: 'names turn the words around them',
    opens: 'Make a mail of Duet’s read backwards, with marks of direction in a name.',
    changes: [
      {
        file: `${features}/mails/mails.ts`,
        find: "text.replace(unwanted, '')",
        replace: 'text.replace(unwanted, (mark) => mark)',
      },
    ],
    caughtBy: [
      {
        file: composing,
        test: 'turns no direction but by itself, and keeps no control characters',
        stands: loadsNothing,
      },
    ],
  },
  {
    name: 'subjects tell what Duet is for',
    opens: 'Read on someone’s lock screen who likes them.',
    changes: [
      {
        file: `${features}/mails/digest.ts`,
        find: "level === 'text' && first && items.length === 1",
        replace: 'first && items.length === 1',
      },
    ],
    caughtBy: [
      {
        file: `${features}/mails/digest.test.ts`,
        test: 'has a subject and a beginning in en that give nothing away',
        stands: 'is not sent when nothing has happened',
      },
    ],
  },
  {
    name: 'where mails are stopped is not signed',
    opens: 'Change, on the way, where a click on “unsubscribe” leads.',
    changes: [
      {
        file: `${platform}/mail-signing.ts`,
        find: "'Auto-Submitted', 'List-Unsubscribe', 'List-Unsubscribe-Post'",
        replace: "'Auto-Submitted'",
      },
    ],
    caughtBy: [
      {
        file: `${platform}/mail-signing.test.ts`,
        test: 'no longer holds when someone changes where it is stopped',
        stands: 'no longer holds when someone changes the subject',
      },
    ],
  },
]
