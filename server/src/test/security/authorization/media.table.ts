import type { Name } from './cast.ts'

/** Files that have URLs. The attachment and the evidence belong to the conversation between `member` and `other`. */
export const media = {
  "other's photo": '/media/',
  "other's rejected photo": '/media/',
  "hidden's photo": '/media/',
  "blocking's photo": '/media/',
  'an attachment that no message carries': '/media/attachments/',
  'an attachment of a message to other': '/media/attachments/',
  'evidence of a report': '/media/evidence/',
  'the export of member': '/media/exports/',
} as const
export type Medium = keyof typeof media

/**
 * The expected status of a URL signed for each person: it works as long as they may see the file. Every combination is
 * listed.
 */
export const mediaTable: Record<Medium, Record<Name, 200 | 404>> = {
  "other's photo": {
    ...{ member: 200, stranger: 200, blocked: 404, suspended: 404, admin: 200 },
    ...{ other: 200, blocking: 200, hidden: 200, deleted: 404 },
  },
  "other's rejected photo": {
    ...{ member: 404, stranger: 404, blocked: 404, suspended: 404, admin: 200 },
    ...{ other: 200, blocking: 404, hidden: 404, deleted: 404 },
  },
  "hidden's photo": {
    ...{ member: 404, stranger: 404, blocked: 404, suspended: 404, admin: 200 },
    ...{ other: 404, blocking: 404, hidden: 200, deleted: 404 },
  },
  "blocking's photo": {
    ...{ member: 404, stranger: 404, blocked: 404, suspended: 404, admin: 200 },
    ...{ other: 200, blocking: 200, hidden: 200, deleted: 404 },
  },
  'an attachment that no message carries': {
    ...{ member: 200, stranger: 404, blocked: 404, suspended: 404, admin: 404 },
    ...{ other: 404, blocking: 404, hidden: 404, deleted: 404 },
  },
  'an attachment of a message to other': {
    ...{ member: 200, stranger: 404, blocked: 404, suspended: 404, admin: 404 },
    ...{ other: 200, blocking: 404, hidden: 404, deleted: 404 },
  },
  'evidence of a report': {
    ...{ member: 404, stranger: 404, blocked: 404, suspended: 404, admin: 200 },
    ...{ other: 404, blocking: 404, hidden: 404, deleted: 404 },
  },
  'the export of member': {
    ...{ member: 200, stranger: 404, blocked: 404, suspended: 404, admin: 404 },
    ...{ other: 404, blocking: 404, hidden: 404, deleted: 404 },
  },
}
