import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../platform/address.tsx'
import { call } from '../../platform/call.ts'
import { problemCode } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useLeadToWrong } from '../../ui/form/use-lead-to-wrong.ts'
import { useCodeMail } from './code-mail.ts'
import { useKept } from './kept.ts'
import { codeDigits, looksLikeEmail, problemWords } from './problem-words.ts'

interface Errors {
  email?: string
  code?: string
  password?: string
  form?: string
}

/** Sign-in by a mailed code; by a password for people who ask for that. */
export function LoginForm() {
  const { t } = useTranslation(['entry', 'welcome'])
  const form = useLogin()
  const { email, code, password, isByPassword, errors, codeMail } = form
  // After a typing mistake, a code to the right address needs no wait.
  const isSent = codeMail.sentTo !== '' && codeMail.sentTo === email.trim()
  const waiting = isSent && codeMail.waitSeconds > 0
  const sendLabel = waiting
    ? t('login.sendAgainIn', { seconds: codeMail.waitSeconds })
    : t(isSent ? 'login.sendAgain' : 'login.sendCode')
  // Creating an account is what this page shows first; signing in stands out once it can be done.
  const isReady = isByPassword ? password !== '' : code.length === 8
  return (
    <form ref={form.element} noValidate onSubmit={form.submit} className="mt-6 grid gap-5">
      <Field
        label={t('login.email')}
        type="email"
        name="email"
        autoComplete="username"
        inputMode="email"
        value={email}
        error={errors.email}
        onChange={(event) => form.setEmail(event.target.value)}
        onBlur={form.checkEmail}
      />
      {isByPassword ? (
        <Field
          label={t('login.password')}
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          error={errors.password}
          onChange={(event) => form.setPassword(event.target.value)}
        />
      ) : (
        <Field
          label={t('login.code')}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          error={errors.code}
          hint={isSent ? t('login.sent', { email: codeMail.sentTo }) : t('login.codeHint')}
          onChange={(event) => form.setCode(codeDigits(event.target.value))}
          className="pe-44 tracking-[.08em]"
          end={
            <Button variant="text" size="s" disabled={waiting} busy={codeMail.busy} onClick={form.sendCode}>
              {sendLabel}
            </Button>
          }
        />
      )}
      {errors.form && (
        <p role="alert" className="text-s font-medium text-bad">
          {errors.form}
        </p>
      )}
      <div className="mt-1 grid gap-2">
        <Button type="submit" variant={isReady ? 'primary' : 'quiet'} size="l" wide busy={form.busy}>
          {t('login.signIn')}
        </Button>
        <Button variant="text" wide onClick={form.switchWay}>
          {t(isByPassword ? 'welcome:useCode' : 'welcome:usePassword')}
        </Button>
      </div>
    </form>
  )
}

function useLogin() {
  const { t } = useTranslation('entry')
  const codeMail = useCodeMail()
  const [{ email }, keepEmail] = useKept('login', { email: '' })
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [isByPassword, setByPassword] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const lead = useLeadToWrong(element)
  const emailError = () => (looksLikeEmail(email) ? undefined : t('login.emailWrong'))
  const refuse = (error: unknown) => {
    const text = problemWords(error, t)
    if (problemCode(error) !== 'invalid_credentials') return setErrors({ form: text })
    setErrors(isByPassword ? { password: t('login.passwordWrong') } : { code: t('login.codeWrong') })
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
    if (isByPassword && !password) wrong.password = t('welcome:passwordMissing')
    if (!isByPassword && code.length < 8) wrong.code = t(code ? 'login.codeShort' : 'welcome:codeMissing')
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return lead()
    if (busy) return
    setBusy(true)
    const proof = isByPassword ? { password } : { otp: code }
    try {
      const session = await call('POST /api/user/authenticate', { body: { email: email.trim(), ...proof } })
      if (useSession.getState().signIn(session)) navigate('/home')
    } catch (error) {
      refuse(error)
      lead()
    } finally {
      setBusy(false)
    }
  }
  const checkEmail = () => {
    if (email)
      setErrors(({ email: _, ...others }) => ({ ...others, ...(emailError() && { email: t('login.emailWrong') }) }))
  }
  const setEmail = (text: string) => keepEmail({ email: text })
  const switchWay = () => {
    setByPassword(!isByPassword)
    setErrors({})
  }
  const fields = { email, setEmail, code, setCode, password, setPassword, isByPassword, switchWay }
  return { ...fields, element, errors, busy, codeMail, sendCode, submit, checkEmail }
}
