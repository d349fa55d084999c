import { Fingerprint } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form/error-text.tsx'
import { Way } from '../way.tsx'
import { canUsePasskeys } from './able.ts'
import { useAddPasskey } from './passkey-acts.ts'
import { PasskeysList } from './passkeys-list.tsx'
import { usePasskeys } from './use-passkeys.ts'

export function PasskeysWay() {
  const { t } = useTranslation('accounts')
  const { data } = usePasskeys()
  const { run, busy, failure } = useAddPasskey()
  const passkeys = data?.passkeys ?? []
  const isAble = canUsePasskeys()
  if (!isAble && passkeys.length === 0) return null
  const acts = isAble && (
    <Button variant="quiet" size="s" busy={busy} onClick={() => run(undefined)}>
      {t('access.addPasskey')}
    </Button>
  )
  return (
    <Way
      id="passkeys"
      icon={Fingerprint}
      title={t('access.passkeys')}
      acts={acts}
      more={
        <>
          <FormError>{failure}</FormError>
          {passkeys.length > 0 && <PasskeysList passkeys={passkeys} />}
        </>
      }
    >
      {t('access.passkeysHint')}
    </Way>
  )
}
