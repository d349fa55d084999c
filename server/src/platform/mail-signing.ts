import { createPrivateKey, createPublicKey } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'
import { readFileSync } from 'node:fs'

export interface MailSigning {
  domain: string
  selector: string
  keyFile: string
}

/** RFC 8058 requires signing both unsubscribe headers; nodemailer's default list lacks the second. */
const signedFields = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'Auto-Submitted', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':')

const fewestBits = 1024

function readKey(file: string) {
  try {
    const key = createPrivateKey(readFileSync(file))
    if (key.asymmetricKeyType !== 'rsa') throw new Error('it is not an RSA key')
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < fewestBits) throw new Error(`it needs ${fewestBits} bits`)
    return key
  } catch (error) {
    throw new Error(`MAIL_DKIM_KEY_FILE: ${(error as Error).message}`)
  }
}

export function signerOf({ domain, selector, keyFile }: MailSigning) {
  const privateKey = readKey(keyFile).export({ type: 'pkcs8', format: 'pem' }).toString()
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: signedFields }
}

export function recordOf({ domain, selector, keyFile }: MailSigning): { name: string; text: string } {
  const key = createPublicKey(readKey(keyFile)).export({ type: 'spki', format: 'der' }).toString('base64')
  return { name: `${selector}._domainkey.${domain}`, text: `v=DKIM1; k=rsa; p=${key}` }
}

const keyIn = (text: string) => /(?:^|;)\s*p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, '')

export async function isPublished(signing: MailSigning, resolve = resolveTxt): Promise<boolean> {
  const { name, text } = recordOf(signing)
  const found = await resolve(name).catch(() => [])
  return found.some((parts) => keyIn(parts.join('')) === keyIn(text))
}
