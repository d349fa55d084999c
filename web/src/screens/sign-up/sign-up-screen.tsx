import type { Session } from '@duet/contract/accounts.ts'
import { asLine, isVisible } from '@duet/contract/written-text.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCodeMail } from '../../features/accounts/entry/code-mail.ts'
import { takeDestination } from '../../features/accounts/entry/destination.ts'
import { type SignUpDraft, useDraft } from '../../features/accounts/oidc/draft.ts'
import { problemWords } from '../../features/accounts/problem-words.ts'
import { navigate } from '../../platform/address/address.tsx'
import { call } from '../../platform/call.ts'
import { preloadTexts } from '../../platform/i18n.ts'
import { ProblemError, problemCode } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { toast } from '../../platform/toast.ts'
import { lazily } from '../../ui/lazily.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { CodeStep, EmailStep, NameStep } from './account-steps.tsx'
import { BirthStep } from './birth-step.tsx'
import { beginAt, useStep } from './use-step.ts'

const ProfileSteps = lazily(async () => {
  const [module] = await Promise.all([import('./profile-steps.tsx'), preloadTexts('profiles', 'photos', 'places')])
  return module
})

export default function SignUpScreen() {
  const { t } = useTranslation(['entry', 'sign-up'])
  const hasSession = useSession((state) => Boolean(state.user?.token))
  const [isLeaving, setLeaving] = useState(false)
  const welcomeBack = (session: Session) => {
    setLeaving(true)
    if (!useSession.getState().signIn(session)) return
    navigate(takeDestination(), { replace: true })
    toast.success(t('sign-up:welcomeBack', { name: session.name }))
  }
  return (
    <>
      <PageTitle>{t('login.signUp')}</PageTitle>
      {hasSession && !isLeaving ? <ProfileSteps /> : <AccountSteps onKnown={welcomeBack} />}
    </>
  )
}

function registerWith({ email, code: otp, providerCode, name }: SignUpDraft, birthDate: string): Promise<Session> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const about = { name: asLine(name), birthDate, acceptTerms: true } as const
  return providerCode
    ? call('POST /api/user/oidc/register', { query: { timeZone }, body: { code: providerCode, ...about } })
    : call('POST /api/user/register', { query: { timeZone }, body: { email: email.trim(), otp, ...about } })
}

const isTooYoung = (error: unknown) =>
  error instanceof ProblemError && Boolean(error.problem.errors?.some(({ path }) => path === 'birthDate'))

const accountSteps = ['email', 'code', 'name', 'birth'] as const
type AccountStep = (typeof accountSteps)[number]

function AccountSteps({ onKnown }: { onKnown: (session: Session) => void }) {
  const { t } = useTranslation(['accounts', 'entry', 'sign-up'])
  const { draft, change } = useDraft()
  const codeMail = useCodeMail()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ on: AccountStep; words: string }>()
  const most = (): AccountStep => {
    const provenUntil = isVisible(draft.name) ? 'birth' : 'name'
    if (draft.providerCode) return provenUntil
    if (codeMail.sentTo !== draft.email.trim() || !draft.email) return 'email'
    if (!draft.isProven) return 'code'
    return provenUntil
  }
  const { step, go, next, back } = useStep<AccountStep>(accountSteps, draft.providerCode ? 'name' : 'email', most())
  const register = async (birthDate: string) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const session = await registerWith(draft, birthDate)
      if (useSession.getState().signIn(session)) beginAt('who')
    } catch (error) {
      // The error may concern an answer from an earlier step, so the person goes back there to correct it.
      const code = problemCode(error)
      if (code === 'invalid_credentials' && draft.providerCode) {
        change({ providerCode: '', isProven: false })
        setProblem({ on: 'email', words: t('sign-up:providerEnded') })
        return go('email')
      }
      if (code === 'invalid_credentials') {
        change({ code: '' })
        setProblem({ on: 'code', words: t('sign-up:codeEnded') })
        return go('code')
      }
      const on = code === 'email_taken' ? 'email' : 'birth'
      setProblem({ on, words: isTooYoung(error) ? t('birth.notYet') : problemWords(error, t) })
      if (on !== 'birth') go(on)
    } finally {
      setBusy(false)
    }
  }
  const words = problem?.on === step ? problem.words : undefined
  const refusal = words && (
    <p role="alert" className="mt-2 text-s font-medium text-bad">
      {words}
    </p>
  )
  // The steps before this one are skipped, because the sign-in provider has supplied their answers.
  const onBack = draft.providerCode && step === 'name' ? () => navigate('/login') : back
  const shared = { draft, change, codeMail, refusal, onNext: next, onBack }
  if (step === 'email') return <EmailStep {...shared} />
  // If the code had expired, all later answers have already been given.
  const onProven = problem?.on === 'code' ? () => go('birth') : next
  if (step === 'code') return <CodeStep {...shared} onNext={onProven} onKnown={onKnown} />
  if (step === 'name') return <NameStep {...shared} />
  return <BirthStep {...shared} busy={busy} error={words} onRegister={register} />
}
