import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { emailWords } from '../../ui/form/email-words.ts'
import { FormError } from '../../ui/form/error-text.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { type AccessDialog, useAccountMutation } from './access-acts.ts'
import { codeDigits } from './problem-words.ts'

const formId = 'change-address'

export function ChangeAddress({ onClose }: AccessDialog) {
  const { t } = useTranslation(['accounts', 'entry'])
  const change = useChange(onClose)
  const { isSent, email, code, wrong, failure, busy } = change
  const foot = (
    <>
      <Button variant="quiet" onClick={isSent ? change.back : onClose}>
        {t(isSent ? 'access.back' : 'access.cancel')}
      </Button>
      <Button type="submit" form={formId} busy={busy}>
        {t(isSent ? 'access.confirmAddress' : 'entry:login.sendCode')}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      foot={foot}
      onOpenChange={onClose}
      edited={isSent}
      title={t('access.changeAddress')}
      description={t('access.addressWhy')}
    >
      <form id={formId} noValidate onSubmit={change.submit} className="grid gap-3">
        {isSent ? (
          <Field
            key="code"
            label={t('entry:login.code')}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
            value={code}
            error={wrong}
            hint={t('access.codeSent', { email: email.trim() })}
            onChange={(event) => change.setCode(codeDigits(event.target.value))}
            className="tracking-[.08em]"
          />
        ) : (
          <Field
            key="email"
            label={t('access.newAddress')}
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            value={email}
            error={wrong}
            onChange={(event) => change.setEmail(event.target.value)}
          />
        )}
        <FormError>{failure}</FormError>
      </form>
    </Dialog>
  )
}

function useChange(onClose: () => void) {
  const { t } = useTranslation(['accounts', 'entry'])
  const user = useSession((state) => state.user)
  const amend = useSession((state) => state.amend)
  const [email, writeEmail] = useState('')
  const [code, writeCode] = useState('')
  const [isSent, setSent] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const ask = useAccountMutation((to: string) => call('POST /api/user/addressChange', { body: { email: to } }), {
    onShown: () => setSent(true),
    own: { validation_failed: t('access.sameAddress') },
  })
  const confirm = useAccountMutation(
    (given: { email: string; otp: string }) => call('POST /api/user/addressChange/confirm', { body: given }),
    {
      onDone: (answer) => {
        if (user) amend(user.id, { email: answer.email })
        toast.success(t('access.addressChanged'))
      },
      onShown: onClose,
      own: { email_taken: t('access.addressTaken') },
    },
  )
  const restart = () => {
    writeCode('')
    setSent(false)
    setWrong(undefined)
    ask.reset()
    confirm.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ask.busy || confirm.busy) return
    if (isSent && code.length < 8) return setWrong(t('entry:login.codeShort'))
    if (isSent) return confirm.run({ email: email.trim(), otp: code })
    const fault = emailWords(email, t)
    if (fault) return setWrong(fault)
    ask.run(email.trim())
  }
  const cleared = (write: (text: string) => void) => (text: string) => {
    write(text)
    setWrong(undefined)
  }
  return {
    email,
    code,
    isSent,
    wrong,
    submit,
    back: restart,
    setEmail: cleared(writeEmail),
    setCode: cleared(writeCode),
    failure: isSent ? confirm.failure : ask.failure,
    busy: ask.busy || confirm.busy,
  }
}
