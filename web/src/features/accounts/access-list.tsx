import type { AccessView } from '@duet/contract/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, LifeBuoy, Mail } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { accessKey } from './access-acts.ts'
import { ChangeAddress } from './change-address.tsx'
import { NewCodes } from './new-codes.tsx'
import { LinkedAccounts, useIdentities } from './oidc/linked-accounts.tsx'
import { PasskeysWay } from './passkeys/passkeys-way.tsx'
import { usePasskeys } from './passkeys/use-passkeys.ts'
import { RemovePassword, SetPassword } from './password-dialogs.tsx'
import { Way } from './way.tsx'

type Asked = 'address' | 'password' | 'removal' | 'codes'

/** `children` render only after the methods have loaded, so that they don't shift down. */
export function AccessSection({ children }: { children: ReactNode }) {
  const { t } = useTranslation('accounts')
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: accessKey,
    queryFn: ({ signal }) => call('GET /api/user/access', { signal }),
  })
  const isWaiting = [usePasskeys().isPending, useIdentities().isPending].includes(true)
  const isFailed = isError && !data
  const isKnown = data && !isWaiting
  return (
    <>
      <Section title={t('access.title')}>
        <Card>
          {isKnown && <AccessList access={data} />}
          {isFailed && <ErrorState onRetry={() => refetch()} busy={isFetching} />}
          {!isKnown && !isFailed && <SkeletonRows rows={5} />}
        </Card>
      </Section>
      {(isKnown || isFailed) && children}
    </>
  )
}

function AccessList({ access }: { access: AccessView }) {
  const { t } = useTranslation('accounts')
  const isAdmin = useSession((state) => state.user?.isSuperAdmin)
  const [asked, setAsked] = useState<Asked>()
  const { email, hasPassword, recoveryCodesLeft: left } = access
  const close = () => setAsked(undefined)
  const ask = (which: Asked, label: string) => (
    <Button variant="quiet" size="s" onClick={() => setAsked(which)}>
      {label}
    </Button>
  )
  return (
    <>
      <ul className="-my-3 divide-y divide-line">
        <Way id="address" icon={Mail} title={t('access.address')} acts={!isAdmin && ask('address', t('access.change'))}>
          <bdi className="wrap-anywhere">{email}</bdi>
          {isAdmin && <span className="block">{t('access.adminAddress')}</span>}
        </Way>
        <Way
          id="password"
          icon={KeyRound}
          title={t('access.password')}
          acts={
            <>
              {ask('password', t(hasPassword ? 'access.changePassword' : 'access.setPassword'))}
              {hasPassword && ask('removal', t('access.removePassword'))}
            </>
          }
        >
          {t(hasPassword ? 'access.hasPassword' : 'access.noPassword')}
        </Way>
        <PasskeysWay />
        <Way
          id="recovery-codes"
          icon={LifeBuoy}
          title={t('access.codes')}
          acts={ask('codes', t(left > 0 ? 'access.newCodes' : 'access.makeCodes'))}
        >
          {left > 0 ? t('access.codesLeft', { count: left }) : t('access.noCodes')}
        </Way>
        <LinkedAccounts />
      </ul>
      {asked === 'address' && <ChangeAddress onClose={close} />}
      {asked === 'password' && <SetPassword onClose={close} hasPassword={hasPassword} />}
      {asked === 'removal' && <RemovePassword onClose={close} />}
      {asked === 'codes' && <NewCodes onClose={close} left={left} />}
    </>
  )
}
