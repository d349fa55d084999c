import type { OwnSanction } from '@duet/contract/sanctions.ts'
import { useTranslation } from 'react-i18next'
import { AppealPart } from './appeal-part.tsx'
import { SanctionStatement } from './sanction-view.tsx'

export function SanctionList({ sanctions }: { sanctions: readonly OwnSanction[] }) {
  const { t } = useTranslation('standing')
  return (
    <ol aria-label={t('list')} className="grid gap-7 [&>li+li]:border-t [&>li+li]:border-line [&>li+li]:pt-6">
      {sanctions.map((sanction) => (
        <li key={sanction.id} className="grid gap-4">
          <SanctionStatement sanction={sanction} />
          <AppealPart sanction={sanction} />
        </li>
      ))}
    </ol>
  )
}
