import { ChevronLeft } from 'lucide-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useParams } from 'wouter'
import { Link } from '../../platform/address/address.tsx'
import { leaveByLink } from '../../platform/address/leave-to.ts'
import { Extra } from '../../ui/boundary.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AccountPart, SignOut } from './account-part.tsx'
import { AppearancePart } from './appearance-part.tsx'
import { NotificationsPart } from './notifications-part.tsx'
import { DataPart, PrivacyPart, ProfilePart } from './profile-part.tsx'
import { SafetyPart } from './safety-part.tsx'
import { SectionLinks, SectionRows } from './section-list.tsx'
import { addressOfHash, type SettingsSection, sectionOf } from './sections.ts'
import { SettingsSearch } from './settings-search.tsx'
import { useShownSetting } from './show-setting.ts'
import { useSideBySide } from './side-by-side.ts'
import { You } from './you.tsx'

const parts: Record<SettingsSection, ComponentType> = {
  account: AccountPart,
  profile: ProfilePart,
  notifications: NotificationsPart,
  privacy: PrivacyPart,
  safety: SafetyPart,
  appearance: AppearancePart,
  data: DataPart,
}

export default function SettingsScreen() {
  const { section: name } = useParams<{ section?: string }>()
  const sideBySide = useSideBySide()
  const section = sectionOf(name)
  if (section) return <OpenSection {...{ section, sideBySide }} />
  const elsewhere = name === undefined ? addressOfHash(window.location.hash) : '/settings'
  if (elsewhere) return <Redirect to={elsewhere} replace />
  return sideBySide ? <Redirect to="/settings/account" replace /> : <SectionsScreen />
}

const column = 'mx-auto w-full max-w-180 px-4 pb-12 sm:px-8'
const columns =
  'mx-auto grid w-full max-w-240 grid-cols-[212px_minmax(0,1fr)] gap-6 px-6 pt-10 pb-12 min-[1280px]:grid-cols-[232px_minmax(0,1fr)] min-[1280px]:gap-14'

function SectionsScreen() {
  const { t } = useTranslation('own-settings')
  return (
    <div className={`${column} pt-6 sm:pt-10`}>
      <PageTitle>{t('title')}</PageTitle>
      <h1 className="display text-2xl sm:text-[38px]">{t('title')}</h1>
      <div className="mt-6 grid grid-cols-1 gap-5">
        <You />
        <nav aria-label={t('list')}>
          <SectionRows />
        </nav>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <SignOut />
          <Rules />
        </div>
      </div>
    </div>
  )
}

/** Renders the same elements in both layouts, so that resizing the window doesn't lose input or close anything. */
function OpenSection({ section, sideBySide }: { section: SettingsSection; sideBySide: boolean }) {
  return (
    <div className={sideBySide ? columns : `${column} pt-1 sm:pt-6`}>
      {sideBySide ? <SettingsSidebar section={section} /> : <Back />}
      <div className="min-w-0">
        <OneSection section={section} />
      </div>
    </div>
  )
}

function Back() {
  const { t } = useTranslation('own-settings')
  return (
    <Link
      to="/settings"
      onClick={leaveByLink('/settings')}
      className="-ms-2 mb-1 inline-flex h-11 items-center gap-1 rounded-full ps-1.5 pe-3 text-[15px] font-[560] text-ink-2 transition hover:text-ink"
    >
      <ChevronLeft aria-hidden="true" className="mirror size-5!" />
      {t('title')}
    </Link>
  )
}

function SettingsSidebar({ section }: { section: SettingsSection }) {
  const { t } = useTranslation('own-settings')
  return (
    <div className="sticky top-[calc(var(--bar)+2.5rem)] max-h-[calc(100dvh-var(--bar)-5rem)] self-start overflow-y-auto p-1">
      <p className="display mb-4 px-3 text-xl">{t('title')}</p>
      <SettingsSearch>
        <nav aria-label={t('list')}>
          <SectionLinks now={section} />
        </nav>
        <div className="border-t border-line px-3 pt-2">
          <Rules />
        </div>
      </SettingsSearch>
    </div>
  )
}

/** The parts have their own headings. They load together, so that none of them shifts another. */
function OneSection({ section }: { section: SettingsSection }) {
  const { t } = useTranslation('own-settings')
  useShownSetting()
  const Part = parts[section]
  return (
    <>
      <PageTitle>{`${t(`sections.${section}.title`)} · ${t('title')}`}</PageTitle>
      <h1 className="display text-2xl md:text-[34px]">{t(`sections.${section}.title`)}</h1>
      <p className="mt-2 text-ink-2 text-pretty">{t(`sections.${section}.lead`)}</p>
      <div key={section} className="mt-7 grid grid-cols-1 gap-8">
        <Extra fallback={<Skeleton className="h-160 rounded-l" />}>
          <Part />
        </Extra>
      </div>
    </>
  )
}

function Rules() {
  const { t } = useTranslation('own-settings')
  return (
    <ul className="text-s text-ink-2">
      {(
        [
          ['/terms', 'rules'],
          ['/how-matching-works', 'matching'],
        ] as const
      ).map(([to, key]) => (
        <li key={to}>
          <Link to={to} className="inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline">
            {t(key)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
