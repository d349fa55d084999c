export type LineKind = 'emergency' | 'police' | 'abuse' | 'crisis' | 'online' | 'fraud'
export interface Line {
  kind: LineKind
  number: string
  name?: string
}

/** Public phone numbers, as dialled within each country. Only long-established services are included. */
export const hotlines: Record<string, readonly Line[]> = {
  AR: [
    { kind: 'emergency', number: '911' },
    { kind: 'abuse', number: '144', name: 'Línea 144' },
  ],
  AT: [
    { kind: 'emergency', number: '112' },
    { kind: 'police', number: '133' },
    { kind: 'abuse', number: '0800 222 555', name: 'Frauenhelpline' },
    { kind: 'crisis', number: '142', name: 'Telefonseelsorge' },
  ],
  AU: [
    { kind: 'emergency', number: '000' },
    { kind: 'abuse', number: '1800 737 732', name: '1800RESPECT' },
    { kind: 'crisis', number: '13 11 14', name: 'Lifeline' },
  ],
  BR: [
    { kind: 'police', number: '190' },
    { kind: 'abuse', number: '180', name: 'Ligue 180' },
    { kind: 'crisis', number: '188', name: 'CVV' },
  ],
  CA: [
    { kind: 'emergency', number: '911' },
    { kind: 'crisis', number: '988', name: '9-8-8' },
  ],
  CH: [
    { kind: 'emergency', number: '112' },
    { kind: 'police', number: '117' },
    { kind: 'crisis', number: '143', name: 'Die Dargebotene Hand' },
  ],
  DE: [
    { kind: 'emergency', number: '112' },
    { kind: 'police', number: '110' },
    { kind: 'abuse', number: '116 016', name: 'Hilfetelefon Gewalt gegen Frauen' },
    { kind: 'crisis', number: '0800 111 0 111', name: 'TelefonSeelsorge' },
  ],
  ES: [
    { kind: 'emergency', number: '112' },
    { kind: 'abuse', number: '016' },
    { kind: 'crisis', number: '024' },
    { kind: 'online', number: '017', name: 'INCIBE' },
  ],
  EU: [{ kind: 'emergency', number: '112' }],
  FR: [
    { kind: 'emergency', number: '112' },
    { kind: 'police', number: '17' },
    { kind: 'abuse', number: '3919', name: 'Violences Femmes Info' },
    { kind: 'online', number: '3018' },
  ],
  GB: [
    { kind: 'emergency', number: '999' },
    { kind: 'abuse', number: '0808 2000 247', name: 'National Domestic Abuse Helpline' },
    { kind: 'online', number: '0345 6000 459', name: 'Revenge Porn Helpline' },
    { kind: 'crisis', number: '116 123', name: 'Samaritans' },
  ],
  IE: [
    { kind: 'emergency', number: '112' },
    { kind: 'abuse', number: '1800 341 900', name: 'Women’s Aid' },
    { kind: 'crisis', number: '116 123', name: 'Samaritans' },
  ],
  IN: [
    { kind: 'emergency', number: '112' },
    { kind: 'abuse', number: '181' },
    { kind: 'fraud', number: '1930' },
  ],
  IT: [
    { kind: 'emergency', number: '112' },
    { kind: 'abuse', number: '1522' },
  ],
  MX: [{ kind: 'emergency', number: '911' }],
  NZ: [
    { kind: 'emergency', number: '111' },
    { kind: 'crisis', number: '1737' },
  ],
  PT: [
    { kind: 'emergency', number: '112' },
    { kind: 'abuse', number: '116 006', name: 'APAV' },
  ],
  US: [
    { kind: 'emergency', number: '911' },
    { kind: 'abuse', number: '1-800-799-7233', name: 'National Domestic Violence Hotline' },
    { kind: 'abuse', number: '1-800-656-4673', name: 'RAINN' },
    { kind: 'crisis', number: '988' },
  ],
  ZA: [
    { kind: 'emergency', number: '112' },
    { kind: 'police', number: '10111' },
    { kind: 'abuse', number: '0800 428 428' },
  ],
}

export const countries = Object.keys(hotlines)

/** Undefined if no language tag names a country or the first country named isn't in `hotlines`. */
export function likelyCountry(languages: readonly string[]): string | undefined {
  for (const tag of languages) {
    const region = tag.split('-').find((part) => /^[A-Z]{2}$/.test(part))
    if (region) return Object.hasOwn(hotlines, region) ? region : undefined
  }
  return undefined
}
