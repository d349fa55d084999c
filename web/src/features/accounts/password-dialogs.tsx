import { limits } from '@duet/contract/limits.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { type AccessDialog, useAccountMutation } from './access-acts.ts'
import { problemWords } from './problem-words.ts'
import { NotProved } from './step-up.tsx'

const formId = 'set-password'

export function SetPassword({ onClose, hasPassword }: AccessDialog & { hasPassword: boolean }) {
  const { t } = useTranslation('accounts')
  const [password, write] = useState('')
  const [isShown, setShown] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const { run, busy, failure } = useAccountMutation(
    (text: string) => call('PUT /api/user/password', { body: { password: text } }),
    {
      onDone: () => toast.success(t('access.passwordSaved')),
      onShown: onClose,
      own: { validation_failed: t('access.passwordIsAddress') },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password.length < limits.passwordMin) return setWrong(t('access.passwordShort', { count: limits.passwordMin }))
    if (!busy && password.length <= limits.passwordMax) run(password)
  }
  const foot = (
    <>
      <Button variant="quiet" onClick={onClose}>
        {t('access.cancel')}
      </Button>
      <Button type="submit" form={formId} busy={busy}>
        {t('access.savePassword')}
      </Button>
    </>
  )
  const title = t(hasPassword ? 'access.changePassword' : 'access.setPassword')
  return (
    <Dialog open {...{ title, foot }} onOpenChange={onClose} description={t('access.passwordWhy')}>
      <form id={formId} noValidate onSubmit={submit} className="grid gap-3">
        <Field
          label={t('access.newPassword')}
          type={isShown ? 'text' : 'password'}
          name="new-password"
          autoComplete="new-password"
          dir="ltr"
          maxLength={limits.passwordMax}
          value={password}
          error={wrong}
          hint={t('access.passwordHint', { count: limits.passwordMin })}
          onChange={(event) => {
            write(event.target.value)
            setWrong(undefined)
          }}
          end={
            <Button variant="text" size="s" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {t('access.show')}
            </Button>
          }
        />
        <FormError>{failure}</FormError>
      </form>
    </Dialog>
  )
}

export function RemovePassword({ onClose }: AccessDialog) {
  const { t } = useTranslation(['accounts', 'entry'])
  const { runAsync } = useAccountMutation(() => call('DELETE /api/user/password'), {
    onDone: () => toast.success(t('access.passwordRemoved')),
  })
  const remove = async () => {
    await runAsync(undefined).catch((error: unknown) => {
      if (!(error instanceof NotProved)) toast.error(problemWords(error, t))
    })
  }
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('access.removeTitle')}
      description={t('access.removeHint')}
      act={t('access.removePassword')}
      onConfirm={remove}
    />
  )
}
