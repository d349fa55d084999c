import { limits } from './limits.ts'

const learningDays = 180

/**
 * Figures that the app's texts promise to people. The server enforces them and the web app inserts them into its texts,
 * so the two can't diverge. Each name ends with its unit.
 */
export const promised = {
  codeMinutes: 10,
  /** How long an email address change can be undone, and how long the previous address is stored. */
  addressUndoHours: 72,
  /** The maximum lifetime of a session, first without and then with "Stay signed in". */
  sessionDays: 30,
  stayDays: 365,
  deviceDays: 365,
  graceDays: 14,
  refusedDays: 30,
  rejectedDays: 7,
  appealMonths: limits.appealMonths,
  selfieDays: 7,
  reportMonths: 12,
  takenMonths: 12,
  /** How long earlier texts of an edited or deleted message are stored. They are used only for reports. */
  versionDays: 30,
  /** How long after the last message a past contact can be reported, and how long their former names are stored. */
  pastContactMonths: 12,
  formerNameMonths: 12,
  /** How long keyed hashes of an erased account's email addresses are stored for an open report. */
  mailboxDays: 365,
  unusedMonths: 24,
  exportHours: 24,
  /** How many messages before the reported one, and how many after it, are copied into a report. */
  evidenceMessages: 10,
  notifications: 200,
  dateAheadDays: 60,
  /**
   * How long a date's page stays available after the date, and how late a check-in can be before the contact is
   * emailed.
   */
  dateAfterHours: 24,
  checkInGraceMinutes: 30,
  learningDays,
  /**
   * 30 days longer than `learningDays`, because training also reads cards that were shown long before they were decided
   * on.
   */
  shownDays: learningDays + 30,
  /**
   * How long first messages are compared with each other to detect spam, and how long suspected spam can be withheld.
   */
  printMinutes: 60,
  holdDays: 7,
  /** How long networks and devices are stored to recognise returning people. */
  networkDays: 90,
  /** The longest window of all rate limits that count by network. */
  counterHours: 24,
  backupDays: 35,
} as const
