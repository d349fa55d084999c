import type { PasskeyProof } from '@duet/contract/passkeys.ts'
import { useCallback, useEffect, useRef } from 'react'
import { canUsePasskeys } from './able.ts'

interface Handlers {
  /** Signs in with it, and says so where that fails. */
  onProof: (proof: PasskeyProof) => Promise<void>
  /** Called where one was asked for and the browser has none to give. */
  onFailed: (error: unknown) => void
}

interface PasskeySignIn {
  /** Asks for one at once. */
  ask(): void
  /** Offers them at the address field from now on, for as long as the page is there. */
  offer(): void
}

/** Signs in with passkeys. What that takes is loaded apart from the page, and asked for once someone is about to sign in. */
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
      // What waits in the background and fails was in the way of something else: no one asked for it.
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
    // Browsers have one such window at a time: the one that was asked for stays.
    if (isAvailable && !isAsked.current) await prove('conditional')
  }, [prove])
  return { ask, offer: () => void offer().catch(() => undefined) }
}
