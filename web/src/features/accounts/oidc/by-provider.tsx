import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../../platform/address/address.tsx'
import { call } from '../../../platform/call.ts'
import { providerName } from '../../../platform/demo.ts'
import { problemCode } from '../../../platform/problem.ts'
import { useSession } from '../../../platform/session.ts'
import { Button } from '../../../ui/button.tsx'
import { takeDestination } from '../entry/destination.ts'
import { problemWords } from '../problem-words.ts'
import { beginProven } from './draft.ts'

/** Parses the URL fragment that the server's redirect added: either a code or a failure reason. */
function readAnswer(): { code?: string | undefined; failure?: string | undefined } {
  const [, code, failure] = /^#oidc(?:=([\w-]+)|-failed=(\w+))$/.exec(window.location.hash) ?? []
  return { code, failure }
}

const failures = ['denied', 'ended', 'unverified', 'unavailable', 'limited', 'failed']
const meanings: Record<string, string> = {
  invalid_credentials: 'ended',
  unavailable: 'unavailable',
  forbidden: 'forbidden',
  conflict: 'conflict',
}

export default function ByProvider({ stays }: { stays: boolean }) {
  const { t } = useTranslation('oidc')
  const name = providerName()
  const { go, busy, problem } = useProvider(stays, name)
  return (
    <div className="grid gap-3 border-t border-line pt-5">
      {problem && (
        <p role="alert" className="text-s font-medium text-bad">
          {problem}
        </p>
      )}
      <Button variant="quiet" size="l" wide busy={busy} onClick={go}>
        {t('signIn', { name })}
      </Button>
    </div>
  )
}

function useProvider(stays: boolean, name: string) {
  const { t } = useTranslation(['oidc', 'entry'])
  const [{ code, failure }] = useState(readAnswer)
  const [busy, setBusy] = useState(Boolean(code))
  const [problem, setProblem] = useState(() => failure && wordsOf(failures.includes(failure) ? failure : 'failed'))
  function wordsOf(reason: string) {
    return t(`failed.${reason}`, { name })
  }
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    await act().catch((error: unknown) => {
      const reason = meanings[problemCode(error)]
      setProblem(reason ? wordsOf(reason) : problemWords(error, t))
      setBusy(false)
    })
  }
  const finish = async (handed: string) => {
    const answer = await call('POST /api/user/oidc/finish', { body: { code: handed } })
    if ('needsSignUp' in answer) {
      beginProven(answer.email, handed)
      return navigate('/signup?step=name')
    }
    if (useSession.getState().signIn(answer)) navigate(takeDestination())
  }
  const isAnswered = Boolean(code || failure)
  useEffect(() => {
    const { pathname, search } = window.location
    // An effect rather than the state initializer, because React may render a screen several times before showing it.
    if (isAnswered) window.history.replaceState(window.history.state, '', pathname + search)
  }, [isAnswered])
  const handedIn = useRef(false)
  useEffect(() => {
    if (!code || handedIn.current) return
    handedIn.current = true
    void attempt(() => finish(code))
  })
  useEffect(() => {
    // The browser may restore this page from its back/forward cache with the button still busy.
    const rest = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false)
    window.addEventListener('pageshow', rest)
    return () => window.removeEventListener('pageshow', rest)
  }, [])
  const go = () =>
    attempt(async () => {
      const { url } = await call('POST /api/user/oidc/start', { body: { staySignedIn: stays } })
      window.location.assign(url)
    })
  return { go, busy, problem }
}
