import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { preloadTexts } from '../../platform/i18n.ts'
import { codeOf } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { CodeStep, EmailStep, NameStep } from './account-steps.tsx'
import { BirthStep } from './birth-step.tsx'
import { useCodeMail } from './code-mail.ts'
import { useDraft } from './draft.ts'
import { problemWords } from './problem-words.ts'

const ProfileSteps = lazy(async () => {
  const [module] = await Promise.all([import('./profile-steps.tsx'), preloadTexts('profiles', 'photos', 'places')])
  return module
})

/** /signup: first the account, then, once there is one, the profile. */
export default function SignUpScreen() {
  const { t } = useTranslation('entry')
  const hasSession = useSession((state) => Boolean(state.user?.token))
  return (
    <>
      <PageTitle>{t('login.signUp')}</PageTitle>
      {hasSession ? <ProfileSteps /> : <AccountSteps />}
    </>
  )
}

const accountSteps = ['email', 'code', 'name', 'birth'] as const
type AccountStep = (typeof accountSteps)[number]

function AccountSteps() {
  const { t } = useTranslation(['accounts', 'entry'])
  const { draft, change, discard } = useDraft()
  const codeMail = useCodeMail()
  const [step, setStep] = useState<AccountStep>('email')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const move = (by: 1 | -1) => {
    setProblem(undefined)
    setStep(accountSteps[accountSteps.indexOf(step) + by] ?? 'email')
  }
  const register = async (birthDate: string) => {
    setBusy(true)
    setProblem(undefined)
    const body = {
      email: draft.email.trim(),
      otp: draft.code,
      name: draft.name.trim(),
      birthDate,
      acceptTerms: true,
    } as const
    try {
      useSession.getState().signIn(await call('POST /api/user/register', { body }))
      discard()
    } catch (error) {
      setProblem(error)
      // The wrong answer was given on an earlier screen: that is where it can be put right.
      if (codeOf(error) === 'invalid_credentials') setStep('code')
      if (codeOf(error) === 'email_taken') setStep('email')
    } finally {
      setBusy(false)
    }
  }
  const words = problem ? problemWords(problem, t) : undefined
  const refusal = words && (
    <p role="alert" className="mt-2 text-s font-medium text-bad">
      {words}
    </p>
  )
  const shared = { draft, change, codeMail, refusal, onNext: () => move(1), onBack: () => move(-1) }
  if (step === 'email') return <EmailStep {...shared} />
  if (step === 'code') return <CodeStep {...shared} />
  if (step === 'name') return <NameStep {...shared} />
  return <BirthStep {...shared} busy={busy} error={words} onRegister={register} />
}
