import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePromised } from '../../locales/promised.ts'
import { Link } from '../../platform/address/address.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

const columns = ['what', 'who', 'long'] as const

export function WhatWeSee() {
  const { t, i18n } = useTranslation('safety-centre')
  const promised = usePromised()
  const read = <T,>(key: string): T => i18n.getResource(i18n.language, 'safety-centre', `see.${key}`)
  return (
    <div className="mx-auto grid w-full max-w-260 gap-10 px-4 pt-6 pb-8 sm:px-8 sm:pt-10">
      <div>
        <PageTitle>{t('see.title')}</PageTitle>
        <h1 className="display text-2xl sm:text-[38px]">{t('see.title')}</h1>
        <p className="mt-3 max-w-160 text-ink-2 text-pretty">{t('see.lead')}</p>
      </div>
      <Kept rows={Object.keys(read<object>('rows'))} />
      <section className="max-w-160">
        <h2 className="display text-xl">{t('see.neverTitle')}</h2>
        <ul className="mt-3 grid gap-2.5">
          {Object.entries(read<Record<string, string>>('never')).map(([key, text]) => (
            <li key={key} className="flex gap-3">
              <X aria-hidden="true" className="mt-1 size-4.5 flex-none text-accent" />
              {text}
            </li>
          ))}
        </ul>
      </section>
      {(['operator', 'leave'] as const).map((part) => (
        <section key={part} className="max-w-160">
          <h2 className="display text-xl">{t(`see.${part}Title`)}</h2>
          <p className="mt-2 text-ink-2 text-pretty">{t(`see.${part}`, promised)}</p>
        </section>
      ))}
      <p className="max-w-160 text-s text-ink-2">{t('see.more')}</p>
      <Link to="/safety" className="text-accent underline-offset-4 hover:underline">
        {t('toSafety')}
      </Link>
    </div>
  )
}

function Kept({ rows }: { rows: readonly string[] }) {
  const { t } = useTranslation('safety-centre')
  return (
    <table className="block w-full rounded-l bg-surface text-start shadow-one sm:table">
      <caption className="sr-only">{t('see.title')}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="px-5.5 py-4 text-start text-s font-[620] text-ink-2">
              {t(`see.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="grid divide-y divide-line sm:table-row-group sm:divide-y-0">
        {rows.map((row) => (
          <KeptRow key={row} row={row} />
        ))}
      </tbody>
    </table>
  )
}

const cell = 'block sm:table-cell sm:border-t sm:border-line sm:px-5.5 sm:py-3.5 sm:align-top'

function KeptRow({ row }: { row: string }) {
  const { t } = useTranslation('safety-centre')
  const promised = usePromised()
  const cellOf = (column: (typeof columns)[number]) => t(`see.rows.${row}.${column}`, promised)
  const name = (column: 'who' | 'long') => (
    <span className="block pt-2.5 text-xs font-[580] text-ink-2 sm:hidden">{t(`see.${column}`)}</span>
  )
  return (
    <tr className="block px-5 py-5 sm:table-row">
      <th scope="row" className={`${cell} text-start font-[580] sm:w-3/10`}>
        {cellOf('what')}
      </th>
      <td className={`${cell} text-ink-2`}>
        {name('who')}
        {cellOf('who')}
      </td>
      <td className={`${cell} text-ink-2 sm:w-1/4`}>
        {name('long')}
        {cellOf('long')}
      </td>
    </tr>
  )
}
