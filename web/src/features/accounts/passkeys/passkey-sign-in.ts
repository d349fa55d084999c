import type { PasskeyProof } from '@duet/contract/passkeys.ts'
import { useCallback, useEffect, useRef } from 'react'
import { canUsePasskeys } from './able.ts'

interface Handlers {
  onProof: (proof: PasskeyProof) => Promise<void>
  onFailed: (error: unknown) => void
}

interface PasskeySignIn {
  ask(): void
  /** Offers passkeys as autofill suggestions in the email field until the component unmounts. */
  offer(): void
}

/**
 * Signs in with passkeys. The passkey code and the server's challenge load only when the person uses the sign-in form.
 */
export function usePasskeySignIn(handlers: Handlers): PasskeySignIn {
  const latest = useRef(handlers)
  const isGone = useRef(false)
  const isOffered = useRef(false)
  const isAsked = useRef(false)
  useEffect(() => {
    latest.current = handlers
  })

  const prove = useCallback(async (mediation: 'required' | 'conditional'): Promise<void> => {
    const { NotGiven, askForPasskey } = await import('./browser.ts')
    if (isGone.current) return
    const proof = await askForPasskey(mediation).catch((error: unknown) => {
      // The background request wasn't started by the person, so its failure isn't shown.
      if (mediation === 'required' && !(error instanceof NotGiven)) latest.current.onFailed(error)
    })
    if (proof) await latest.current.onProof(proof)
    const isOver = mediation === 'conditional' && !proof
    if (!isOver && (await PublicKeyCredential.isConditionalMediationAvailable())) await prove('conditional')
  }, [])

  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      if (isOffered.current || isAsked.current)
        void import('./browser.ts').then(
          ({ stopWaiting }) => stopWaiting(),
          () => undefined,
        )
    }
  }, [])

  const ask = useCallback(() => {
    isAsked.current = true
    prove('required').catch((error: unknown) => latest.current.onFailed(error))
  }, [prove])
  const offer = useCallback(async () => {
    if (isOffered.current || !canUsePasskeys()) return
    isOffered.current = true
    const isAvailable = await PublicKeyCredential.isConditionalMediationAvailable()
    // Browsers allow only one pending passkey request, so don't interrupt one that the person started.
    if (isAvailable && !isAsked.current) await prove('conditional')
  }, [prove])
  return { ask, offer: () => void offer().catch(() => undefined) }
}
