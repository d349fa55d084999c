import type { MyDetails } from '@duet/contract/profiles.ts'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Progress } from '../../ui/progress.tsx'

/** How complete the profile is, and what each missing part brings. */
export function Completeness({ completeness: { percent, items } }: Pick<MyDetails, 'completeness'>) {
  const { t } = useTranslation('profiles')
  const missing = items.filter(({ done }) => !done)
  return (
    <section aria-label={t('completeness')}>
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <p className="font-medium">{missing.length > 0 ? t('percent', { percent }) : t('complete')}</p>
      </div>
      <Progress value={percent} label={t('completeness')} className="h-1.5" />
      {missing.length > 0 && (
        <ul className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {missing.map(({ item, weight }) => (
            <li key={item} className="flex items-center gap-2.5 text-[15px]">
              <Plus aria-hidden="true" className="size-4.5 text-accent" />
              <span className="flex-1">{t(`items.${item}`)}</span>
              <span className="text-s text-ink-2">{t('brings', { weight })}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
