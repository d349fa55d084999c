import type { CompletenessItem, MyDetails } from '@duet/contract/profiles.ts'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { Progress } from '../../ui/progress.tsx'

const places: Record<CompletenessItem['item'], string> = {
  photo: '#photos',
  more_photos: '#photos',
  place: '#place',
  gender: '#gender',
  interested_in: '#who',
  intents: '#intents',
  bio: '#about',
  prompts: '#answers',
  interests: '#interests',
  facts: '#facts',
  questions: '/questions',
}

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
        <ul className="mt-3 grid gap-x-6 sm:grid-cols-2">
          {missing.map((item) => (
            <Missing key={item.item} {...item} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Missing({ item, weight, missing = 1 }: CompletenessItem) {
  const { t } = useTranslation('profiles')
  const place = places[item]
  const look = 'flex min-h-11 items-center gap-2.5 rounded-s text-[15px] hover:text-accent'
  const words = (
    <>
      <Plus aria-hidden="true" className="size-4.5 text-accent" />
      <span className="flex-1">{t(`items.${item}`, { count: missing })}</span>
      <span dir="ltr" className="text-s text-ink-2">
        {t('brings', { weight })}
      </span>
    </>
  )
  return (
    <li>
      {place.startsWith('#') ? (
        <a href={place} className={look}>
          {words}
        </a>
      ) : (
        <Link to={place} className={look}>
          {words}
        </Link>
      )}
    </li>
  )
}
