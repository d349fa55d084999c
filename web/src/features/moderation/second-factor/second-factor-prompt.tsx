import { latinDigits } from '@duet/contract/digits.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../../platform/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Page } from '../../../ui/page.tsx'
import { canUsePasskeys } from '../../accounts/accounts.ts'
import { useVerifySecondFactor } from './second-factor.api.ts'

const known = new Set(['invalid_credentials', 'rate_limited', 'offline'])

export function codeProblem(error: unknown): 'invalid_credentials' | 'rate_limited' | 'offline' | 'other' {
  const code = problemCode(error)
  return known.has(code) ? (code as 'invalid_credentials') : 'other'
}

// Formats a recovery code in capitals and groups of four, as it was shown. Doesn't change six-digit codes.
function tidy(text: string): string {
  const signs = latinDigits(text)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  return /^\d{0,6}$/.test(signs) ? signs : (signs.match(/.{1,4}/g) ?? []).join('-')
}

export function SecondFactorPrompt({ hasPasskey }: { hasPasskey: boolean }) {
  const { t } = useTranslation('moderation')
  const verify = useVerifySecondFactor()
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  const send = (event: FormEvent) => {
    event.preventDefault()
    verify.mutate(tidy(code))
  }
  // A `conflict` means that the server can no longer decrypt the authenticator's secret.
  const isLost = verify.error && problemCode(verify.error) === 'conflict'
  const change = () => {
    setCode('')
    verify.reset()
    setRecovery(!isRecovery)
  }
  return (
    <Page title={t('factor.promptTitle')} lead={t('factor.promptLead')}>
      <Card className="max-w-120">
        <form onSubmit={send} className="grid gap-4">
          <Field
            key={isRecovery ? 'recovery' : 'code'}
            size="l"
            autoFocus
            label={t(isRecovery ? 'factor.recoveryCode' : 'factor.code')}
            hint={t(isRecovery ? 'factor.recoveryHint' : 'factor.codeHint')}
            error={verify.error ? t(`factor.problem.${isLost ? 'key_changed' : codeProblem(verify.error)}`) : undefined}
            dir="ltr"
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" busy={verify.isPending} disabled={code.trim() === ''}>
              {t('factor.verify')}
            </Button>
            <Button variant="text" onClick={change}>
              {t(isRecovery ? 'factor.useCode' : 'factor.useRecovery')}
            </Button>
            {hasPasskey && canUsePasskeys() && (
              <Button variant="text" onClick={() => verify.mutate(undefined)}>
                {t('factor.usePasskey')}
              </Button>
            )}
          </div>
        </form>
      </Card>
    </Page>
  )
}
