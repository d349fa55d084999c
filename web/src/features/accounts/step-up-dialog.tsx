import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { problemCode } from '../../platform/problem.ts'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useCodeMail } from './entry/code-mail.ts'
import { canUsePasskeys } from './passkeys/able.ts'
import { askForPasskey, NotGiven } from './passkeys/browser.ts'
import { usePasskeys } from './passkeys/use-passkeys.ts'
import { codeDigits, problemWords } from './problem-words.ts'

const formId = 'step-up'

export function StepUpDialog({ open, onAnswer }: { open: boolean; onAnswer: (proved: boolean) => void }) {
  const { t } = useTranslation(['step-up', 'entry'])
  const email = useSession((state) => state.user?.email ?? '')
  const proof = useProof(email, () => onAnswer(true))
  const foot = (
    <>
      <Button variant="quiet" onClick={() => onAnswer(false)}>
        {t('cancel')}
      </Button>
      <Button type="submit" form={formId} busy={proof.busy}>
        {t('go')}
      </Button>
    </>
  )
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onAnswer(false)}
      title={t('title')}
      description={t('why')}
      foot={foot}
    >
      <form id={formId} noValidate onSubmit={proof.submit} className="grid gap-4">
        {proof.isByPassword ? <PasswordField {...proof} /> : <CodeField {...proof} email={email} />}
        <FormError>{proof.failure}</FormError>
        <Button variant="text" size="s" className="-ms-3.5 justify-self-start" onClick={proof.switchWay}>
          {t(proof.isByPassword ? 'byCode' : 'byPassword')}
        </Button>
        {proof.hasPasskey && (
          <Button variant="text" size="s" className="-ms-3.5 justify-self-start" onClick={proof.provePasskey}>
            {t('byPasskey')}
          </Button>
        )}
      </form>
    </Dialog>
  )
}

type Proof = ReturnType<typeof useProof>

function CodeField({ value, setValue, wrong, codeMail, sendCode, email }: Proof & { email: string }) {
  const { t } = useTranslation(['step-up', 'entry'])
  // The code may have been sent to an earlier address of this account.
  const isSent = codeMail.sentTo === email
  const waiting = isSent && codeMail.waitSeconds > 0
  const label = waiting
    ? t('entry:login.sendAgainIn', { seconds: codeMail.waitSeconds })
    : t(isSent ? 'entry:login.sendAgain' : 'entry:login.sendCode')
  return (
    <Field
      label={t('entry:login.code')}
      name="code"
      autoComplete="one-time-code"
      inputMode="numeric"
      value={value}
      error={wrong}
      hint={t(isSent ? 'sent' : 'hint', { email })}
      onChange={(event) => setValue(codeDigits(event.target.value))}
      className="pe-44 tracking-[.08em]"
      end={
        <Button variant="text" size="s" disabled={waiting} busy={codeMail.busy} onClick={sendCode}>
          {label}
        </Button>
      }
    />
  )
}

function PasswordField({ value, setValue, wrong }: Proof) {
  const { t } = useTranslation('entry')
  return (
    <Field
      label={t('login.password')}
      type="password"
      name="password"
      autoComplete="current-password"
      value={value}
      error={wrong}
      onChange={(event) => setValue(event.target.value)}
    />
  )
}

function useProof(email: string, onProved: () => void) {
  const { t } = useTranslation(['step-up', 'entry'])
  const codeMail = useCodeMail()
  const [isByPassword, setByPassword] = useState(false)
  const [value, write] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const setValue = (text: string) => {
    write(text)
    setWrong(undefined)
    setFailure(undefined)
  }
  const refuse = (error: unknown) => {
    if (problemCode(error) === 'invalid_credentials')
      setWrong(t(isByPassword ? 'passwordWrong' : 'entry:login.codeWrong'))
    else setFailure(problemWords(error, t))
  }
  const sendCode = () => codeMail.send(email).catch(refuse)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (!isByPassword && value.length < 8) return setWrong(t('entry:login.codeShort'))
    if (value === '') return setWrong(t('passwordMissing'))
    setBusy(true)
    try {
      await call('POST /api/user/reauthenticate', { body: isByPassword ? { password: value } : { otp: value } })
      onProved()
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(false)
    }
  }
  const { data: known } = usePasskeys(canUsePasskeys())
  const hasPasskey = (known?.passkeys.length ?? 0) > 0
  const provePasskey = async () => {
    setFailure(undefined)
    try {
      const passkey = await askForPasskey()
      await call('POST /api/user/passkeys/reauthenticate', { body: { passkey } })
      onProved()
    } catch (error) {
      if (problemCode(error) === 'invalid_credentials') setFailure(t('passkeyWrong'))
      else if (!(error instanceof NotGiven)) setFailure(problemWords(error, t))
    }
  }
  const switchWay = () => {
    setByPassword(!isByPassword)
    setValue('')
  }
  const acts = { sendCode, submit, switchWay, provePasskey }
  return { isByPassword, value, setValue, wrong, failure, busy, codeMail, hasPasskey, ...acts }
}
