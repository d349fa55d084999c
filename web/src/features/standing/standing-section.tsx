import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { SanctionList } from './sanction-list.tsx'
import { useStanding } from './standing.api.ts'

export function StandingCard() {
  const { t } = useTranslation('standing')
  const { data, isError, isFetching, refetch } = useStanding()
  return (
    <Section id="standing" title={t('section')}>
      <Card>
        {!data && isError && <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />}
        {!data && !isError && <Skeleton className="h-11" />}
        {data && <p className="text-ink-2 text-pretty">{t(`now.${data.standing}`)}</p>}
        {data && data.sanctions.length > 0 && (
          <div className="mt-4 border-t border-line pt-5">
            <SanctionList sanctions={data.sanctions} />
          </div>
        )}
      </Card>
    </Section>
  )
}
