import type { PasskeyProof } from '@duet/contract/passkeys.ts'
import { useCallback, useEffect, useRef } from 'react'
import { canUsePasskeys } from './able.ts'

interface Handlers {
  onProof: (proof: PasskeyProof) => Promise<void>
  /** Called if the person asked for a passkey and the browser failed. */
  onFailed: (error: unknown) => void
}

interface PasskeySignIn {
  ask(): void
  /** Offers passkeys in the autofill of the email field until the component unmounts. */
  offer(): void
}

/** Signs in with passkeys. The code and the challenge are loaded only when someone is about to sign in. */
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
      // Nobody asked for the background request, so its failure isn't shown.
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
    // Browsers allow one passkey request at a time, so one that the person asked for isn't interrupted.
    if (isAvailable && !isAsked.current) await prove('conditional')
  }, [prove])
  return { ask, offer: () => void offer().catch(() => undefined) }
}
