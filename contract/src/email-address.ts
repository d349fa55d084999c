/*
 * Don't import zod here: the web app loads this file at runtime.
 */

export const emailFaults = ['at', 'mailbox', 'domain', 'long'] as const
export type EmailFault = (typeof emailFaults)[number]

const longest = 254
/** The characters that HTML email fields accept before the @. */
const mailbox = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/
/**
 * Stricter than HTML email fields: requires a dot, because a domain without one is nearly always an unfinished address,
 * and rejects numeric top-level domains, which don't exist.
 */
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const ascii = /^[\0-\x7f]*$/

/** Converts an internationalised domain to ASCII (UTS 46). Returns an invalid domain unchanged. */
function asciiDomain(text: string): string {
  const url = `http://${text}`
  // Characters such as `/` and `:` would end the host part of the URL, and the rest of the text would be lost.
  if (ascii.test(text) || /[\s/?#@:\\[\]%]/.test(text)) return text
  try {
    return new URL(url).hostname
  } catch {
    return text
  }
}

/** Normalises an address to the form that is stored and compared: lower case, with an ASCII domain. */
export function asEmail(text: string): string {
  const address = text.trim().replace('\uff20', '@').toLowerCase()
  const at = address.lastIndexOf('@')
  return at < 0 ? address : address.slice(0, at + 1) + asciiDomain(address.slice(at + 1))
}

export function emailFaultOf(text: string): EmailFault | undefined {
  const address = asEmail(text)
  const [before = '', after, more] = address.split('@')
  if (!before || !after || more !== undefined) return 'at'
  if (!mailbox.test(before)) return 'mailbox'
  if (!domain.test(after)) return 'domain'
  return address.length > longest ? 'long' : undefined
}
