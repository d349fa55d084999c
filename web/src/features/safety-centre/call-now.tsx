import { byName } from '@duet/contract/order.ts'
import { Phone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { Select } from '../../ui/form/select.tsx'
import { countries, hotlines, type Line, likelyCountry } from './hotlines.ts'

const elsewhere = ''

export function CallNow() {
  const { t, i18n } = useTranslation('safety-centre')
  const [country, setCountry] = useState(() => likelyCountry(navigator.languages) ?? elsewhere)
  const names = new Intl.DisplayNames(i18n.language, { type: 'region' })
  const options = countries
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort(byName(i18n.language, ({ label }) => label))
  return (
    <Card tone="reason" id="now" aria-labelledby="now-title" className="scroll-mt-[calc(var(--bar)+1rem)]">
      <h2 id="now-title" className="display text-xl">
        {t('now.title')}
      </h2>
      <p className="mt-1 text-ink-2">{t('now.text')}</p>
      <Select
        label={t('now.country')}
        frameClassName="mt-4 max-w-80 print:hidden"
        value={country}
        options={[{ value: elsewhere, label: t('now.elsewhere') }, ...options]}
        onChange={(event) => setCountry(event.target.value)}
      />
      <div aria-live="polite" className="mt-4">
        {country === elsewhere ? <p>{t('now.elsewhereText')}</p> : <Lines lines={hotlines[country] ?? []} />}
      </div>
      <p className="mt-4 text-s text-ink-2">{t('now.sure')}</p>
    </Card>
  )
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const { t } = useTranslation('safety-centre')
  return (
    <ul className="grid gap-2.5 sm:grid-cols-2">
      {lines.map(({ kind, number, name }) => (
        <li key={number}>
          <a
            href={`tel:${number.replace(/[^0-9+]/g, '')}`}
            className="flex h-full items-center gap-3.5 rounded-m bg-surface px-4 py-3 transition hover:bg-sunken"
          >
            <Phone aria-hidden="true" className="size-5 flex-none text-accent" />
            <span className="min-w-0">
              <span className="block text-l font-[620] tabular-nums">
                <bdi dir="ltr">{number}</bdi>
              </span>
              <span className="block text-s text-ink-2">
                {t(`now.kind.${kind}`)}
                {name && ' · '}
                {name && <bdi>{name}</bdi>}
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
