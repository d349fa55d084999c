import { useTranslation } from 'react-i18next'
import { Community } from '../../insights/insights.tsx'
import { GravestPanel } from './gravest-panel.tsx'
import { WaitingPanel } from './waiting-panel.tsx'

export function OverviewView() {
  const { t } = useTranslation('moderation')
  return (
    <div className="@container grid grid-cols-1 gap-5">
      <div className="grid grid-cols-1 gap-5 @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <GravestPanel />
        <WaitingPanel />
      </div>
      <Community title={t('overview.community')} />
    </div>
  )
}
