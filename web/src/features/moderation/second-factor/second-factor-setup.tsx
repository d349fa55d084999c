import { digitsOf } from '@duet/contract/digits.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form/error-text.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Page } from '../../../ui/page.tsx'
import { NotProved } from '../../accounts/accounts.ts'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useConfirm, useEnrol, usePassed } from './second-factor.api.ts'
import { codeProblem } from './second-factor-prompt.tsx'

interface SecondFactorSetupProps {
  /** Undefined if the second factor is mandatory. */
  onLeave: (() => void) | undefined
}

export function SecondFactorSetup({ onLeave }: SecondFactorSetupProps) {
  const { t } = useTranslation('moderation')
  const enrol = useEnrol()
  const confirm = useConfirm()
  const pass = usePassed()
  const begin = () => enrol.mutate()
  const { recoveryCodes, verifiedUntil } = confirm.data ?? {}
  return (
    <Page title={t('factor.setupTitle')} lead={t('factor.setupLead')}>
      {recoveryCodes && verifiedUntil ? (
        <RecoveryCodes
          codes={recoveryCodes}
          onKept={() => {
            pass(verifiedUntil)
            onLeave?.()
          }}
        />
      ) : enrol.data ? (
        <Pair {...enrol.data} confirm={confirm} />
      ) : (
        <div className="grid justify-items-start gap-3">
          <div className="flex flex-wrap gap-3">
            <Button busy={enrol.isPending} onClick={begin}>
              {t('factor.begin')}
            </Button>
            {onLeave && (
              <Button variant="quiet" onClick={onLeave}>
                {t('factor.later')}
              </Button>
            )}
          </div>
          <FormError>
            {enrol.error && !(enrol.error instanceof NotProved) && t(`factor.problem.${codeProblem(enrol.error)}`)}
          </FormError>
        </div>
      )}
    </Page>
  )
}

interface PairProps {
  secret: string
  uri: string
  confirm: ReturnType<typeof useConfirm>
}

function Pair({ secret, uri, confirm }: PairProps) {
  const { t } = useTranslation('moderation')
  const [code, setCode] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate(digitsOf(code))
  }
  return (
    <Card className="grid justify-items-center gap-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:items-start sm:justify-items-start">
      <QrCode text={uri} label={t('factor.qr')} />
      <form onSubmit={send} className="grid w-full gap-5">
        <div>
          <p className="text-pretty">{t('factor.scan')}</p>
          <p className="mt-3 text-s text-ink-2">{t('factor.secret')}</p>
          <p dir="ltr" className="font-[620] wrap-anywhere tabular-nums select-all rtl:text-end">
            {(secret.match(/.{1,4}/g) ?? []).join(' ')}
          </p>
        </div>
        <Field
          label={t('factor.firstCode')}
          hint={t('factor.codeHint')}
          error={confirm.error ? t(`factor.problem.${codeProblem(confirm.error)}`) : undefined}
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" className="justify-self-start" busy={confirm.isPending} disabled={code.trim() === ''}>
          {t('factor.confirm')}
        </Button>
      </form>
    </Card>
  )
}
