import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../platform/address.tsx'
import { call } from '../../platform/call.ts'
import { codeOf } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { useLeadToWrong } from '../../ui/use-lead-to-wrong.ts'
import { useCodeMail } from './code-mail.ts'
import { codeDigits, looksLikeEmail, problemWords } from './problem-words.ts'

interface Errors {
  email?: string
  code?: string
  password?: string
  form?: string
}

/** Sign-in by a mailed code or a password, whichever is filled in. */
export function LoginForm() {
  const { t } = useTranslation('entry')
  const form = useLogin()
  const { email, code, password, errors, codeMail } = form
  // Whoever mistyped the address need not wait to send a code to the right one.
  const isSent = codeMail.sentTo !== '' && codeMail.sentTo === email.trim()
  const waiting = isSent && codeMail.waitSeconds > 0
  const sendLabel = waiting
    ? t('login.sendAgainIn', { seconds: codeMail.waitSeconds })
    : t(isSent ? 'login.sendAgain' : 'login.sendCode')
  return (
    <form ref={form.element} noValidate onSubmit={form.submit} className="mt-8 grid gap-5">
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
      <p className="flex items-center gap-4 text-s text-ink-2 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('login.or')}
      </p>
      <Field
        label={t('login.password')}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        error={errors.password}
        onChange={(event) => form.setPassword(event.target.value)}
      />
      {errors.form && (
        <p role="alert" className="text-s font-medium text-bad">
          {errors.form}
        </p>
      )}
      <Button type="submit" size="l" wide busy={form.busy} className="mt-2">
        {t('login.signIn')}
      </Button>
    </form>
  )
}

function useLogin() {
  const { t } = useTranslation('entry')
  const codeMail = useCodeMail()
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const lead = useLeadToWrong(element)
  const emailError = () => (looksLikeEmail(email) ? undefined : t('login.emailWrong'))
  const byCode = code.length === 8 || !password
  const refuse = (error: unknown) => {
    const text = problemWords(error, t)
    if (codeOf(error) !== 'invalid_credentials') return setErrors({ form: text })
    setErrors(byCode ? { code: t('login.codeWrong') } : { password: t('login.passwordWrong') })
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
    if (!code && !password) wrong.code = t('login.proofMissing')
    if (code && code.length < 8 && !password) wrong.code = t('login.codeShort')
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return lead()
    if (busy) return
    setBusy(true)
    const proof = byCode ? { otp: code } : { password }
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
  const fields = { email, setEmail, code, setCode, password, setPassword }
  return { ...fields, element, errors, busy, codeMail, sendCode, submit, checkEmail }
}
