import type { NewPasskey, PasskeyProof } from '@duet/contract/passkeys.ts'
import type { CallResponse } from '../../../platform/call.ts'
import { call } from '../../../platform/call.ts'

/** Why there is no passkey: its person closed the window that asked for one, or let its time run out. */
export class NotGiven extends Error {
  override name = 'NotGiven'
}

// Browsers have one such window at a time: what waits for one in the background makes way.
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
 * Has the browser prove with a passkey who is there: in a window of its own, or, `conditional`, among what it offers for a
 * field whose `autocomplete` says `webauthn`. Throws `NotGiven`, and what `call` throws.
 */
export function askForPasskey(mediation: 'required' | 'conditional' = 'required'): Promise<PasskeyProof> {
  return ask(async (signal) => {
    const asked = await call('POST /api/user/passkeys/challenge', { signal })
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked)
    return navigator.credentials.get({ publicKey, signal, mediation })
  })
}

/** Has the browser make a passkey. Throws `NotGiven`; an `InvalidStateError` where the device has one for this account. */
export function makePasskey(options: CallResponse<'POST /api/user/passkeys/options'>): Promise<NewPasskey> {
  return ask((signal) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    return navigator.credentials.create({ publicKey, signal })
  })
}

/** Stops what waits in the background. */
export function stopWaiting(): void {
  waiting?.abort()
}
