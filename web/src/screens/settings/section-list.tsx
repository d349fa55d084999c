import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type SettingsSection, sectionIcons, sections } from './sections.ts'

export function SectionLinks({ now }: { now: SettingsSection }) {
  const { t } = useTranslation('own-settings')
  return (
    <ul className="grid gap-0.5">
      {sections.map((section) => {
        const Icon = sectionIcons[section]
        return (
          <li key={section}>
            <Link
              to={`/settings/${section}`}
              aria-current={section === now ? 'page' : undefined}
              className="flex min-h-11 items-center gap-3 rounded-m px-3 text-[15px] font-[540] text-ink-2 transition hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink"
            >
              <Icon aria-hidden="true" className="size-4.5!" />
              {t(`sections.${section}.title`)}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

export function SectionRows() {
  const { t } = useTranslation('own-settings')
  return (
    <ul className="rounded-l bg-surface px-2 py-1.5 shadow-one">
      {sections.map((section, place) => {
        const Icon = sectionIcons[section]
        return (
          <li key={section}>
            <Link
              to={`/settings/${section}`}
              className="group flex items-center gap-4 rounded-m px-3 transition hover:bg-sunken active:bg-sunken"
            >
              <Icon aria-hidden="true" className="text-ink-2 group-hover:text-ink" />
              <span
                className={classNames(
                  'flex min-w-0 flex-1 items-center gap-3 py-3.5',
                  place > 0 && 'border-t border-line group-hover:border-transparent',
                )}
              >
                <span className="min-w-0 flex-1">
                  <span className="block font-[580]">{t(`sections.${section}.title`)}</span>
                  <span className="block text-s text-pretty text-ink-2">{t(`sections.${section}.lead`)}</span>
                </span>
                <ChevronRight aria-hidden="true" className="mirror size-5! text-ink-3" />
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
