import type { NewPasskey, PasskeyProof } from '@duet/contract/passkeys.ts'
import type { CallResponse } from '../../../platform/call.ts'
import { call } from '../../../platform/call.ts'

export class NotGiven extends Error {
  override name = 'NotGiven'
}

// Browsers allow only one pending passkey request, so a new request aborts the background one.
let waiting: AbortController | undefined

async function ask<T>(act: (signal: AbortSignal) => Promise<Credential | null>): Promise<T> {
  waiting?.abort()
  waiting = new AbortController()
  try {
    const credential = await act(waiting.signal)
    return (credential as PublicKeyCredential).toJSON() as T
  } catch (error) {
    if (error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name)) throw new NotGiven()
    throw error
  }
}

/**
 * Asks the browser for a passkey: in a dialog, or if `conditional`, as an autofill suggestion in fields with
 * `autocomplete="webauthn"`. Throws `NotGiven` and the errors of `call`.
 */
export function askForPasskey(mediation: 'required' | 'conditional' = 'required'): Promise<PasskeyProof> {
  return ask(async (signal) => {
    const asked = await call('POST /api/user/passkeys/challenge', { signal })
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked)
    return navigator.credentials.get({ publicKey, signal, mediation })
  })
}

/**
 * Creates a passkey. Throws `NotGiven`, or `InvalidStateError` if the device already has a passkey for this account.
 */
export function makePasskey(options: CallResponse<'POST /api/user/passkeys/options'>): Promise<NewPasskey> {
  return ask((signal) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    return navigator.credentials.create({ publicKey, signal })
  })
}

export function stopWaiting(): void {
  waiting?.abort()
}
