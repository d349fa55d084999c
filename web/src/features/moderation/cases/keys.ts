/** A key only works while its button is in the page. */
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
