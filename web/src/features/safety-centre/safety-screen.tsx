import { ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { Link } from '../../platform/address/address.tsx'
import { useSession } from '../../platform/session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Advice, adviceParts } from './advice.tsx'
import { CallNow } from './call-now.tsx'
import { PublicFrame } from './frame.tsx'
import { WhatWeSee } from './what-we-see.tsx'

export default function SafetyScreen() {
  const { page } = useParams<{ page?: string }>()
  return <PublicFrame key={page ?? ''}>{page === 'what-we-see' ? <WhatWeSee /> : <SafetyCentre />}</PublicFrame>
}

function SafetyCentre() {
  const { t } = useTranslation('safety-centre')
  return (
    <div className="@container mx-auto w-full max-w-260 px-4 pt-6 pb-8 sm:px-8 sm:pt-10">
      <PageTitle>{t('title')}</PageTitle>
      <h1 className="display text-2xl sm:text-[38px]">{t('title')}</h1>
      <p className="mt-3 max-w-160 text-ink-2 text-pretty">{t('lead')}</p>
      <div className="mt-8 @min-[760px]:grid @min-[760px]:grid-cols-[220px_minmax(0,1fr)] @min-[760px]:gap-14">
        <Contents />
        <div className="grid max-w-160 gap-10">
          <CallNow />
          <TellSomeone />
          {adviceParts.map((part) => (
            <Advice key={part.key} part={part} />
          ))}
          <ToSee />
        </div>
      </div>
    </div>
  )
}

const entry =
  'flex min-h-11 items-center rounded-s py-1 text-s text-ink-2 hover:text-ink hover:underline @min-[760px]:min-h-9 underline-offset-4'

function Contents() {
  const { t } = useTranslation('safety-centre')
  return (
    <nav
      aria-label={t('contents')}
      className="sticky top-[calc(var(--bar)+2rem)] hidden self-start @min-[760px]:block print:hidden"
    >
      <p className="mb-2 text-s font-[620]">{t('contents')}</p>
      <ul>
        <li>
          <a href="#now" className={entry}>
            {t('now.title')}
          </a>
        </li>
        {adviceParts.map(({ key }) => (
          <li key={key}>
            <a href={`#${key}`} className={entry}>
              {t(`sections.${key}.title`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function TellSomeone() {
  const { t } = useTranslation('safety-centre')
  const isSignedIn = useSession((state) => state.user !== null)
  return (
    <Card className="print:hidden">
      <h2 className="display text-xl">{t('date.title')}</h2>
      <p className="mt-2 text-ink-2 text-pretty">{t('date.text')}</p>
      <LinkButton to={isSignedIn ? '/dates' : '/login'} className="mt-4">
        {isSignedIn ? t('date.act') : t('date.signIn')}
      </LinkButton>
    </Card>
  )
}

function ToSee() {
  const { t } = useTranslation('safety-centre')
  return (
    <Link
      to="/safety/what-we-see"
      className="flex items-center gap-4 rounded-l bg-surface px-5.5 py-5 shadow-one transition hover:bg-sunken"
    >
      <span className="min-w-0 flex-1">
        <span className="display block text-l">{t('toSee.title')}</span>
        <span className="mt-1 block text-ink-2">{t('toSee.text')}</span>
      </span>
      <ArrowRight aria-hidden="true" className="mirror flex-none text-accent" />
    </Link>
  )
}
