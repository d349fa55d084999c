import type { Session } from '@duet/contract/accounts.ts'
import { latinDigits } from '@duet/contract/digits.ts'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../platform/address/address.tsx'
import { call } from '../../platform/call.ts'
import { providerName } from '../../platform/demo.ts'
import { problemCode } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { keepsTexts } from '../../platform/storage.ts'
import { Extra } from '../../ui/boundary.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { emailWords } from '../../ui/form/email-words.ts'
import { Field } from '../../ui/form/field.tsx'
import { useLeadToWrong } from '../../ui/form/use-lead-to-wrong.ts'
import { lazily } from '../../ui/lazily.tsx'
import { useCodeMail } from './entry/code-mail.ts'
import { takeDestination } from './entry/destination.ts'
import { useKept } from './entry/kept.ts'
import { canUsePasskeys } from './passkeys/able.ts'
import { usePasskeySignIn } from './passkeys/passkey-sign-in.ts'
import { codeDigits, problemWords } from './problem-words.ts'

const ByProvider = lazily(() => import('./oidc/by-provider.tsx'))

interface Errors {
  email?: string
  proof?: string
  form?: string
}

const ways = ['code', 'password', 'recovery'] as const
type Way = (typeof ways)[number]

export function LoginForm() {
  const { t } = useTranslation(['entry', 'welcome'])
  const form = useLogin()
  const { email, way, proof, errors } = form
  // Until the sign-in form is filled in, "Sign up" is the page's primary button.
  const isReady = way === 'code' ? proof.length === 8 : proof !== ''
  return (
    <form ref={form.element} noValidate onSubmit={form.submit} className="mt-6 grid gap-5">
      <Field
        label={t('login.email')}
        type="email"
        name="email"
        autoComplete="username webauthn"
        inputMode="email"
        value={email}
        error={errors.email}
        onChange={(event) => form.setEmail(event.target.value)}
        onFocus={form.passkeys.offer}
        onBlur={form.checkEmail}
      />
      {way === 'password' && (
        <Field
          key={way}
          label={t('login.password')}
          type="password"
          name="password"
          autoComplete="current-password"
          value={proof}
          error={errors.proof}
          onChange={(event) => form.setProof(event.target.value)}
        />
      )}
      {way === 'recovery' && (
        <Field
          key={way}
          label={t('welcome:recoveryCode')}
          name="recovery-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          dir="ltr"
          maxLength={40}
          value={proof}
          error={errors.proof}
          hint={t('welcome:recoveryHint')}
          onChange={(event) => form.setProof(event.target.value)}
          className="tracking-[.08em] uppercase"
        />
      )}
      {way === 'code' && <CodeField key={way} form={form} />}
      {errors.form && (
        <p role="alert" className="text-s font-medium text-bad">
          {errors.form}
        </p>
      )}
      <Checkbox
        label={t('welcome:stay')}
        name="stay"
        checked={form.stays}
        onChange={(event) => form.setStays(event.target.checked)}
        className="-my-2"
      />
      <Forgetful stays={form.stays} />
      <div className="grid gap-2">
        <Button type="submit" variant={isReady ? 'primary' : 'quiet'} size="l" wide busy={form.busy}>
          {t('login.signIn')}
        </Button>
        <div className="flex flex-wrap justify-center">
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <Button key={other} variant="text" onClick={() => form.setWay(other)}>
                {t(`welcome:${{ code: 'useCode', password: 'usePassword', recovery: 'useRecovery' }[other]}`)}
              </Button>
            ))}
          {canUsePasskeys() && (
            <Button variant="text" onClick={form.passkeys.ask}>
              {t('welcome:usePasskey')}
            </Button>
          )}
        </div>
      </div>
      {providerName() && (
        <Extra fallback={<div className="h-17" />}>
          <ByProvider stays={form.stays} />
        </Extra>
      )}
    </form>
  )
}

// Safari and other WebKit browsers delete a site's data after a week without a visit, unless the app is installed.
const forgetsSoon = () => navigator.vendor.startsWith('Apple') && !matchMedia('(display-mode: standalone)').matches

function Forgetful({ stays }: { stays: boolean }) {
  const { t } = useTranslation('welcome')
  const [keeps] = useState(keepsTexts)
  const words = keeps ? stays && forgetsSoon() && t('forgetsSoon') : t('common:notRemembered')
  return words && <p className="-mt-2 ps-9 text-s text-ink-2 text-pretty">{words}</p>
}

function CodeField({ form: { email, proof, errors, codeMail, ...form } }: { form: ReturnType<typeof useLogin> }) {
  const { t } = useTranslation('entry')
  // After correcting a mistyped address, the person can request a code without waiting.
  const isSent = codeMail.sentTo !== '' && codeMail.sentTo === email.trim()
  const waiting = isSent && codeMail.waitSeconds > 0
  const sendLabel = waiting
    ? t('login.sendAgainIn', { seconds: codeMail.waitSeconds })
    : t(isSent ? 'login.sendAgain' : 'login.sendCode')
  return (
    <Field
      label={t('login.code')}
      name="code"
      autoComplete="one-time-code"
      inputMode="numeric"
      value={proof}
      error={errors.proof}
      hint={isSent ? t('login.sent', { email: codeMail.sentTo }) : t('login.codeHint')}
      onChange={(event) => form.setProof(codeDigits(event.target.value))}
      className="pe-44 tracking-[.08em]"
      end={
        <Button variant="text" size="s" disabled={waiting} busy={codeMail.busy} onClick={form.sendCode}>
          {sendLabel}
        </Button>
      }
    />
  )
}

const wrongWords = { code: 'login.codeWrong', password: 'login.passwordWrong', recovery: 'welcome:recoveryWrong' }

function wrongProof(way: Way, proof: string): string | undefined {
  if (way === 'password') return proof ? undefined : 'welcome:passwordMissing'
  if (!proof) return way === 'code' ? 'welcome:codeMissing' : 'welcome:recoveryMissing'
  if (way === 'code') return proof.length < 8 ? 'login.codeShort' : undefined
  return /^[a-z2-7]{16}$/i.test(latinDigits(proof).replace(/[\s-]/g, '')) ? undefined : 'welcome:recoveryShort'
}

function proofOf(way: Way, proof: string) {
  if (way === 'recovery') return { recoveryCode: proof }
  return way === 'password' ? { password: proof } : { otp: proof }
}

function enter(session: Session): void {
  if (useSession.getState().signIn(session)) navigate(takeDestination())
}

function useLogin() {
  const { t } = useTranslation('entry')
  const codeMail = useCodeMail()
  const [{ email }, keepEmail] = useKept('login', { email: '' })
  const [proofs, setProofs] = useState({ code: '', password: '', recovery: '' })
  const [way, switchTo] = useState<Way>('code')
  const [stays, setStays] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const proof = proofs[way]
  const [busy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const lead = useLeadToWrong(element)
  const emailError = () => emailWords(email, t)
  const refuse = (error: unknown) => {
    const text = problemWords(error, t)
    if (problemCode(error) !== 'invalid_credentials') return setErrors({ form: text })
    setErrors({ proof: t(wrongWords[way]) })
  }
  const sendCode = async () => {
    const wrong = emailError()
    setErrors(wrong ? { email: wrong } : {})
    if (!wrong) await codeMail.send(email).catch(refuse)
  }
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    const wrong: Errors = {}
    const badEmail = emailError()
    if (badEmail) wrong.email = badEmail
    const badProof = wrongProof(way, proof)
    if (badProof) wrong.proof = t(badProof)
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return lead()
    if (busy) return
    setBusy(true)
    const given = { email: email.trim(), ...(stays && { staySignedIn: true }), ...proofOf(way, proof) }
    try {
      enter(await call('POST /api/user/authenticate', { body: given }))
    } catch (error) {
      refuse(error)
      lead()
    } finally {
      setBusy(false)
    }
  }
  const passkeys = usePasskeySignIn({
    onProof: async (passkey) => {
      try {
        const body = { passkey, ...(stays && { staySignedIn: true }) }
        enter(await call('POST /api/user/passkeys/authenticate', { body }))
      } catch (error) {
        const isUnknown = problemCode(error) === 'invalid_credentials'
        setErrors({ form: isUnknown ? t('welcome:passkeyWrong') : problemWords(error, t) })
      }
    },
    onFailed: (error) => setErrors({ form: problemWords(error, t) }),
  })
  const checkEmail = () => {
    const wrong = emailError()
    if (email) setErrors(({ email: _, ...others }) => ({ ...others, ...(wrong && { email: wrong }) }))
  }
  const setEmail = (text: string) => keepEmail({ email: text })
  const setWay = (next: Way) => {
    switchTo(next)
    setErrors({})
  }
  const setProof = (text: string) => setProofs({ ...proofs, [way]: text })
  const fields = { email, setEmail, proof, setProof, way, setWay, stays, setStays }
  return { ...fields, element, errors, busy, codeMail, sendCode, submit, checkEmail, passkeys }
}
