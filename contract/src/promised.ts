import { limits } from './limits.ts'

const learningDays = 180

/**
 * Numbers that the app's texts promise. The server enforces them and the web app fills them into its texts, so the two
 * can't diverge. Each name ends with its unit.
 */
export const promised = {
  /** How long an emailed code works. */
  codeMinutes: 10,
  /** How long an address change can be undone, and how long the previous address is stored. */
  addressUndoHours: 72,
  /** The maximum lifetime of a session, without and with "Stay signed in". */
  sessionDays: 30,
  stayDays: 365,
  /** How long a device counts as known after its last sign-in. */
  deviceDays: 365,
  /** Time between the request for erasure and the erasure. */
  graceDays: 14,
  /** How long refused photos without a right to appeal are stored. */
  refusedDays: 30,
  /** How long a removed photo is stored after its appeal period. */
  rejectedDays: 7,
  appealMonths: limits.appealMonths,
  /** How long selfies without a decision are stored. */
  selfieDays: 7,
  /** How long closed reports, their evidence and removed profile texts are stored. */
  reportMonths: 12,
  takenMonths: 12,
  /** How long the earlier text of an edited or deleted message is stored; only reports use it. */
  versionDays: 30,
  /** How long after the last message a past contact can be reported, and how long their former names are stored. */
  pastContactMonths: 12,
  formerNameMonths: 12,
  /** How long keyed hashes of an erased account's mailboxes are stored for an open report. */
  mailboxDays: 365,
  /** How long an account can be unused before it is deleted. */
  unusedMonths: 24,
  exportHours: 24,
  /** The number of messages copied before, and after, a reported message. */
  evidenceMessages: 10,
  notifications: 200,
  dateAheadDays: 60,
  /** How long the page of a date works after it, and how late a check-in may be before the contact is emailed. */
  dateAfterHours: 24,
  checkInGraceMinutes: 30,
  learningDays,
  /** Training also reads cards that were shown long before their decision. */
  shownDays: learningDays + 30,
  /** How long first messages are compared with each other, and the longest hold on suspected spam. */
  printMinutes: 60,
  holdDays: 7,
  /** How long a network and its device are stored to recognise people who come back. */
  networkDays: 90,
  /** The longest window of any rate limit by network. */
  counterHours: 24,
  backupDays: 35,
} as const
