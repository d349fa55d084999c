/** The keys of a case; each presses a button that is there. */
export const caseKeys = {
  next: 'J',
  previous: 'K',
  evidence: 'O',
  claim: 'C',
  dismiss: 'D',
  warn: 'W',
  remove_item: 'R',
  restrict: 'T',
  suspend: 'S',
  ban: 'B',
  upheld: 'U',
  reversed: 'V',
  dossier: 'P',
  help: '?',
} as const
