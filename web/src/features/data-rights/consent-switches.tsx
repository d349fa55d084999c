import type { Consent } from '@duet/contract/data-rights.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { regional } from '../../platform/socket/region.ts'
import { toast } from '../../platform/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { SkeletonOf } from '../../ui/skeleton.tsx'
import { useChangeConsent, useConsents } from './data-rights.api.ts'

const purposes = ['sensitive', 'location', 'learning'] as const
type Purpose = (typeof purposes)[number]
/** Withdrawing these consents deletes data permanently, so the person must confirm. */
const isAsked = (purpose: Purpose) => purpose !== 'learning'

export function ConsentSwitches({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const { t } = useTranslation('data-rights')
  const { data, isError, isFetching, refetch } = useConsents()
  return (
    <>
      <Heading className="font-[620]">{t('consents.title')}</Heading>
      <p className="mt-1 mb-1 text-s text-ink-2">{t('consents.text')}</p>
      {data && <Switches consents={data} />}
      {!data && isError && <ErrorState busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !isError && (
        <SkeletonOf>
          <Switches consents={unknown} />
        </SkeletonOf>
      )}
    </>
  )
}

const now = new Date().toISOString()
const unknown: Consent[] = [{ purpose: 'terms', granted: true, at: now, version: '' }]

function Switches({ consents }: { consents: Consent[] }) {
  const { t } = useTranslation('data-rights')
  const change = useChangeConsent(() => toast.error(t('failed')))
  const [asking, setAsking] = useState<Purpose>()
  const given = (purpose: Consent['purpose']) => consents.find((consent) => consent.purpose === purpose)
  const put = (purpose: Purpose, granted: boolean) => change({ purpose, granted }).catch(() => undefined)
  const turn = (purpose: Purpose, granted: boolean) => {
    if (granted || !isAsked(purpose)) void put(purpose, granted)
    else setAsking(purpose)
  }
  return (
    <>
      <div className="divide-y divide-line">
        {purposes.map((purpose) => (
          <Switch
            key={purpose}
            id={`consent-${purpose}`}
            className="py-3.5"
            label={t(`consents.${purpose}.label`)}
            hint={t(`consents.${purpose}.hint`)}
            checked={given(purpose)?.granted ?? false}
            onChange={(on) => turn(purpose, on)}
          />
        ))}
      </div>
      <TermsLine consent={given('terms')} />
      <Confirm
        open={asking !== undefined}
        onOpenChange={(open) => !open && setAsking(undefined)}
        title={t(`consents.${asking ?? 'location'}.ask`)}
        description={t(`consents.${asking ?? 'location'}.gone`)}
        act={t(`consents.${asking ?? 'location'}.act`)}
        onConfirm={async () => {
          if (asking) await put(asking, false)
        }}
      />
    </>
  )
}

function TermsLine({ consent }: { consent: Consent | undefined }) {
  const { t, i18n } = useTranslation('data-rights')
  if (!consent?.at) return null
  const date = new Date(consent.at).toLocaleDateString(regional(i18n.language), { dateStyle: 'long' })
  return (
    <p className="border-t border-line pt-3 text-s text-ink-2">
      {t('consents.terms', { date })}{' '}
      <Link to="/terms" className="font-[560] text-accent underline-offset-4 hover:underline">
        {t('consents.readTerms')}
      </Link>
    </p>
  )
}
