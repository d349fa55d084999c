/** A shortcut works only while its button is on the page. */
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
