export interface ProductionSettings {
  HOST?: string | undefined
  SECRET_KEY?: string | undefined
  SECRET_KEY_PREVIOUS?: string | undefined
  PUBLIC_URL?: string | undefined
  TRUST_PROXY?: string | undefined
  MAIL_URL?: string | undefined
  DEMO?: string | undefined
  RATE_LIMIT_SCALE?: number | undefined
}

/** Keys from tutorials, and placeholders that people forget to replace. */
const sampleKey =
  /change[\s_-]?me|change[\s_-]?this|replace|your[\s_-]|example|sample|default|password|qwerty|12345678|abcdefgh|super[\s_-]?secret|secret[\s_-]?key|keyboard cat|key for (tests|benches)/i
const fewestCharacters = 12

export function weaknessOf(key: string): string | undefined {
  if (sampleKey.test(key)) return 'looks like a sample'
  if (new Set(key).size < fewestCharacters) return `has fewer than ${fewestCharacters} different characters`
  for (let length = 1; length <= key.length / 2; length++)
    if (
      key
        .slice(0, length)
        .repeat(Math.ceil(key.length / length))
        .slice(0, key.length) === key
    )
      return 'repeats itself'
  return undefined
}

export const isThisMachine = (host: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

const isHere = (url: string) => isThisMachine(new URL(url).hostname)

export function productionFaults({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous }: ProductionSettings): string[] {
  if (key === undefined) return ['SECRET_KEY: is required with NODE_ENV=production (at least 32 bytes)']
  const weakness = weaknessOf(key)
  return [
    ...(weakness ? [`SECRET_KEY: ${weakness}; make one with: openssl rand -base64 48`] : []),
    ...(key === previous ? ['SECRET_KEY_PREVIOUS: is the same as SECRET_KEY'] : []),
  ]
}

export function productionWarnings(settings: ProductionSettings): string[] {
  const { PUBLIC_URL, TRUST_PROXY, MAIL_URL, DEMO, RATE_LIMIT_SCALE } = settings
  const lines: string[] = []
  if (PUBLIC_URL === undefined) lines.push('PUBLIC_URL: is not set; only browsers on this machine may connect')
  else if (PUBLIC_URL.startsWith('http:') && !isHere(PUBLIC_URL))
    lines.push('PUBLIC_URL: is not https; tokens are sent unencrypted, and browsers block location and camera')
  else if (PUBLIC_URL.startsWith('https:') && TRUST_PROXY === undefined)
    lines.push('TRUST_PROXY: is not set; behind a proxy everyone appears to have the same address')
  if (MAIL_URL === undefined)
    lines.push('MAIL_URL: is not set; emails are written to DATA_DIR/outbox, and nobody receives sign-in codes')
  if (DEMO === 'on') lines.push('DEMO: is on; everyone can read all emails at /dev/mail')
  if ((RATE_LIMIT_SCALE ?? 1) > 10) lines.push('RATE_LIMIT_SCALE: is above 10; limits are what stops guessing')
  return lines
}

export const isOpenToOthers = ({ HOST = '127.0.0.1', PUBLIC_URL }: ProductionSettings): boolean =>
  !isThisMachine(HOST) || (PUBLIC_URL !== undefined && !isHere(PUBLIC_URL))

export function trialWarnings(settings: ProductionSettings & { DATABASE_URL?: string | undefined }): string[] {
  if (!isOpenToOthers(settings)) return []
  const { PUBLIC_URL, MAIL_URL, DEMO, DATABASE_URL } = settings
  const lines: string[] = []
  if (PUBLIC_URL === undefined) lines.push('PUBLIC_URL: is not set; only browsers on this machine may connect')
  if (DEMO === 'on') lines.push('DEMO: is on; everyone can read all emails at /dev/mail')
  else if (DEMO === undefined && DATABASE_URL === undefined)
    lines.push('DEMO: is off because others can reach Duet; with DEMO=on everyone can read all emails at /dev/mail')
  if (MAIL_URL === undefined && DEMO !== 'on')
    lines.push('MAIL_URL: is not set; emails are written to DATA_DIR/outbox, and nobody receives sign-in codes')
  return lines
}
